;;; -*- lexical-binding: t; -*-
;; Emacs: the model finds where a name is used and defined, renames it and takes a quick fix, by a language server of Emacs';
;; the server's commands are never run.  Texts: desk.json.

(scenario-use-planact "desk.yaml")
(setq planact-settings (append planact-settings '(:approval "acceptAll")))
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))
(defun file (name) (expand-file-name name (getenv "WORKSPACE")))
(scenario-use-server (list "python3" "-I" (file "naming_server.py")))

(scenario-open (file "near.txt"))
(scenario-wait "the server is there" (lambda () (funcall planact-other-servers)))
(defvar server (car (funcall planact-other-servers)))
(with-temp-file (file "form.plan") (insert "Not yet.\n"))
(scenario-open (file "form.plan"))
(scenario-wait "planact is there" (lambda () (string-search (words "statuses" "plan") (planact-mode-line))))
(planact-switch-mode "act")
(scenario-wait "it is Act" (lambda () (string-search (words "statuses" "act") (planact-mode-line))))
(planact-say (words "names" "message"))
(with-current-buffer "*planact*" (mapc #'scenario-wait-for-text (words "names" "told")))
(with-current-buffer (find-buffer-visiting (file "near.txt")) (scenario-wait-for-text (words "names" "made" "near.txt")))

(let ((answers (words "names" "answers")))
  (maphash (lambda (method answer) (puthash method answer answers)) (words "names" "harm"))
  (with-temp-file (file "answers.json") (insert (json-encode answers))))
(planact-say (words "names" "refused"))
(with-current-buffer "*planact*" (scenario-wait-for-text (words "names" "refusal")))

(let (heard)
  (with-current-buffer (find-buffer-visiting (file "near.txt"))
    (planact-request server "test/heard" nil (lambda (result) (setq heard (planact--get result :methods))) #'error))
  (scenario-wait "the server tells" (lambda () heard))
  (dolist (each (words "names" "heard"))
    (unless (string-search each heard) (error "It wasn't asked %s, but %s" each heard)))
  (when (string-search (words "names" "never") heard) (error "A command was run: %s" heard)))
