;;; -*- lexical-binding: t; -*-
;; Emacs: a form is answered in the minibuffer, field by field.  All texts: desk.json.

(scenario-use-planact "desk.yaml")
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))

(with-temp-file (concat (getenv "WORKSPACE") "/form.plan") (insert "Not yet.\n"))
(scenario-open (concat (getenv "WORKSPACE") "/form.plan"))
(scenario-wait "planact is there" (lambda () (string-search (words "statuses" "plan") (planact-mode-line))))
(setq scenario-answers (words "form" "given"))
(planact-say (words "form" "message"))
(with-current-buffer "*planact*"
  (scenario-wait-for-text (words "form" "thanks"))
  (goto-char (point-min))
  (search-forward (words "form" "thanks"))
  (let* ((text (buffer-substring (point) (progn (search-forward-regexp "}\\.$") (1- (point)))))
         (normal (lambda (json) (let ((json-object-type 'alist) (json-key-type 'string)) (sort (json-read-from-string json) (lambda (a b) (string< (car a) (car b))))))))
    (unless (equal (funcall normal text) (funcall normal (json-encode (words "form" "answers"))))
      (error "The answers are %s" text))))
(when scenario-answers (error "Not asked: %S" scenario-answers))
(unless (string-search "Critical" (car (car (last scenario-asked)))) (error "The first is critical: %S" (last scenario-asked)))
