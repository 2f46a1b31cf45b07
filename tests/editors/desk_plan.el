;;; -*- lexical-binding: t; -*-
;; Emacs: a plan is made, approved and carried out by commands; its question is answered in the minibuffer, the run is
;; stopped and the server started anew in between, and the mode line tells.  All texts: desk.json.

(scenario-use-planact "desk.yaml")
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))
(defun wait-for-status (text) (scenario-wait (concat "the mode line tells " text) (lambda () (string-search text (planact-mode-line)))))
(defun was-told (text) (with-current-buffer "*Messages*" (string-search text (buffer-string))))

(scenario-open (concat (getenv "WORKSPACE") "/request.plan"))
(wait-for-status (words "statuses" "plan"))
(planact-new (words "request"))
(scenario-wait "the plan is shown" (lambda () (with-current-buffer (window-buffer) (string-search (words "goal") (buffer-string)))))
(scenario-see)
(planact-approve)
(scenario-wait "it is approved" (lambda () (was-told (words "approved"))))

(setq scenario-answers (list (list (words "questions" "alias") (words "questions" "remove"))))
(planact-execute)
(scenario-wait-for-text (words "steps" "first"))
(let ((seen (cadr (car scenario-asked))))
  (dolist (text (list (words "statuses" "act") (words "statuses" "waiting") (car (words "statuses" "running"))))
    (unless (string-search text seen) (error "The mode line was %s" seen))))

;; The second question is left open, and its run stopped.
(setq planact-idle-seconds nil)
(wait-for-status (words "statuses" "waiting"))
(wait-for-status (cadr (words "statuses" "running")))
(planact-stop)
(scenario-wait-for-text (words "paused"))
(scenario-wait "nothing waits" (lambda () (not (string-search (words "statuses" "waiting") (planact-mode-line)))))

(let ((before (funcall planact-find-server)))
  (planact-restart)
  (scenario-wait "the server before is over" (lambda () (not (scenario-is-live before)))))
(scenario-see)
(wait-for-status (words "statuses" "paused"))
(setq planact-idle-seconds 0
      scenario-answers (list (list (words "questions" "caller") (words "questions" "change"))))
(planact-execute)
(scenario-wait-for-text (words "steps" "last"))
(scenario-wait-for-text (words "done"))
(scenario-wait "its end is told" (lambda () (was-told (words "ended"))))

(planact-switch-mode "plan")
(wait-for-status (words "statuses" "plan"))
(planact-switch-mode "act")
(wait-for-status (words "statuses" "act"))
