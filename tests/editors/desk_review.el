;;; -*- lexical-binding: t; -*-
;; Emacs: of an edit of two files one is allowed and the other rejected with words.  All texts: desk.json.

(scenario-use-planact "desk.yaml")
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))

(with-temp-file (concat (getenv "WORKSPACE") "/form.plan") (insert "Not yet.\n"))
(scenario-open (concat (getenv "WORKSPACE") "/form.plan"))
(scenario-wait "planact is there" (lambda () (string-search (words "statuses" "plan") (planact-mode-line))))
(planact-switch-mode "act")
(scenario-wait "it is Act" (lambda () (string-search (words "statuses" "act") (planact-mode-line))))
(setq scenario-answers (words "review" "given"))
(planact-say (words "review" "message"))
(with-current-buffer "*planact*" (scenario-wait-for-text (words "review" "heard")))
(when scenario-answers (error "Not asked: %S" scenario-answers))
