;;; -*- lexical-binding: t; -*-
;; Emacs: the model reads what others than planact report to Flymake, and nothing of planact's own.  All texts: desk.json.

(scenario-use-planact "desk.yaml")
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))
(defun file (name) (expand-file-name name (getenv "WORKSPACE")))

(defun a-linter (report &rest _)
  "Report what each of the two files is marked for, as a linter does."
  (save-excursion
    (goto-char (point-min))
    (pcase-let ((`(,text ,type ,message)
                 (if (search-forward (words "diagnostics" "fault") nil t)
                     (list (words "diagnostics" "fault") :error (words "diagnostics" "error"))
                   (list (words "diagnostics" "line") :warning (words "diagnostics" "warning")))))
      (goto-char (point-min))
      (search-forward text)
      (funcall report (list (flymake-make-diagnostic (current-buffer) (match-beginning 0) (match-end 0) type message))))))

(defun open-checked (name)
  (find-file (file name))
  (setq-local flymake-diagnostic-functions '(a-linter))
  (flymake-mode 1)
  (flymake-start)
  (scenario-wait (concat name " is checked") #'flymake-diagnostics))

(with-temp-file (file "notes.txt") (insert (words "diagnostics" "text")))
(open-checked "notes.txt")
(open-checked "app.py")
(with-temp-file (file "faulty.plan") (insert "# A goal\n## Steps\n- [ ] 1. Look\n  - tools: reed_file\n"))
(scenario-open (file "faulty.plan"))
(scenario-wait "planact's own are shown" #'flymake-diagnostics)
(planact-say (words "diagnostics" "message"))
(let ((told (format "notes.txt:2: error: %s (a-linter)\napp.py:8: warning: %s (a-linter)"
                    (words "diagnostics" "error") (words "diagnostics" "warning"))))
  (with-current-buffer "*planact*" (scenario-wait-for-text (format "I read: %s; that is all." told))))
