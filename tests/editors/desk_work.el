;;; -*- lexical-binding: t; -*-
;; Emacs: a run that was interrupted is asked about once, and goes on; its changes are reviewed, and the plan gets a comment.
;; All texts: desk.json.

(scenario-use-planact "desk.yaml")
(setq planact-settings '(:model "scripted:model.yaml"))
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))

(setq scenario-answers (list (list (words "work" "title") "Continue")))
(scenario-open (concat (getenv "WORKSPACE") "/" (words "work" "plan")))
(scenario-wait "point is on the goal" (lambda () (looking-at "# ")))
(scenario-wait "the run is done" (lambda () (equal (string-trim (planact-mode-line)) (words "work" "done"))))
(when scenario-answers (error "Not asked: %S" scenario-answers))
(unless (string-search (words "work" "interrupted") (cadr (car scenario-asked))) (error "The mode line was %s" (cadr (car scenario-asked))))
(scenario-wait-for-text (words "work" "step"))

(planact-review)
(scenario-wait "the changes are shown" (lambda () (get-buffer "*planact changes*")))
(with-current-buffer "*planact changes*"
  (scenario-wait-for-text (words "work" "changed"))
  (unless (derived-mode-p 'diff-mode) (error "It is no difference")))

(scenario-point-at (words "work" "step"))
(planact-comment (words "work" "comment"))
(scenario-wait-for-text (concat "  > " (words "work" "comment")))
(unless (buffer-modified-p) (error "It was saved"))
