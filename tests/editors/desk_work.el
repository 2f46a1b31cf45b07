;;; -*- lexical-binding: t; -*-
;; Emacs: a run that was interrupted is asked about once, and goes on; the conversation has its steps and calls, which fold;
;; its changes are reviewed, and the plan gets a comment.
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

(with-current-buffer "*planact*"
  (dolist (text (words "work" "conversation")) (scenario-wait-for-text text))
  (goto-char (point-min))
  (let ((steps (count-matches "^### " (point-min) (point-max)))) (unless (>= steps 2) (error "There are %d steps:\n%s" steps (buffer-string))))
  (search-forward (cadr (words "work" "conversation")))
  (let ((end (line-end-position)))
    (when (invisible-p end) (error "It was folded before"))
    (search-backward "### ")
    (planact-chat-fold)
    (unless (invisible-p end) (error "The step does not fold"))
    (planact-chat-fold)
    (when (invisible-p end) (error "The step does not open")))
  (when (string-search "◌" (or (overlay-get planact-chat--running 'after-string) "")) (error "A call runs for ever")))

(planact-review)
(scenario-wait "the changes are shown" (lambda () (get-buffer "*planact changes*")))
(with-current-buffer "*planact changes*"
  (scenario-wait-for-text (words "work" "changed"))
  (unless (derived-mode-p 'diff-mode) (error "It is no difference")))

(scenario-point-at (words "work" "step"))
(planact-comment (words "work" "comment"))
(scenario-wait-for-text (concat "  > " (words "work" "comment")))
(unless (buffer-modified-p) (error "It was saved"))
