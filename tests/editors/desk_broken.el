;;; -*- lexical-binding: t; -*-
;; Emacs: the model's edits tell what a language server found in them, in an open file and in one that is opened for that
;; alone; the open one is saved by a command.  Texts: desk.json.

(scenario-use-planact "desk.yaml")
(setq planact-settings (append planact-settings '(:approval "acceptEdits")))
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))
(defun file (name) (expand-file-name name (getenv "WORKSPACE")))
(scenario-use-server (list "python3" "-I" (expand-file-name "../language_servers/scripted_server.py" (file-name-directory load-file-name)) "versioned"))

(dolist (name (words "broken" "files"))
  (with-temp-file (file name) (insert (words "broken" "text"))))
(scenario-open (file "near.txt"))
(scenario-wait "the server reports" (lambda () (and (bound-and-true-p flymake-mode) (flymake-diagnostics))))
(with-temp-file (file "form.plan") (insert "Not yet.\n"))
(scenario-open (file "form.plan"))
(scenario-wait "planact is there" (lambda () (string-search (words "statuses" "plan") (planact-mode-line))))
(planact-switch-mode "act")
(scenario-wait "it is Act" (lambda () (string-search (words "statuses" "act") (planact-mode-line))))
(planact-say (words "broken" "message"))
(with-current-buffer "*planact*"
  (scenario-wait-for-text (words "broken" "near"))
  (scenario-wait-for-text (words "broken" "far")))
(with-current-buffer (find-buffer-visiting (file "far.txt"))
  (when (or (get-buffer-window nil t) (buffer-modified-p) (not (string-search (words "broken" "made") (buffer-string))))
    (error "It was not edited on disk, unseen")))

;; By eglot planact knows plans alone, and edits all else on disk.
(defun was-told (text) (with-current-buffer "*Messages*" (let ((case-fold-search t)) (save-excursion (goto-char (point-min)) (search-forward text nil t)))))
(let ((near (find-buffer-visiting (file "near.txt"))) (knows-it (not (featurep 'planact-eglot))))
  (scenario-wait "the work is over" (lambda () (not (string-search "working" (planact-mode-line)))))
  (when (and knows-it (not (buffer-modified-p near))) (error "It is saved already"))
  (dolist (text (if knows-it (list (words "broken" "saved") (words "broken" "nothing")) (list (words "broken" "nothing"))))
    (planact-save-files)
    (scenario-wait (concat "it tells " text) (lambda () (was-told text))))
  (when (buffer-modified-p near) (error "It is not saved")))
