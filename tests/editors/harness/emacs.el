;;; -*- lexical-binding: t; -*-
;; Drives eglot in a daemon, whose command loop runs timers as an editor on a screen does: open, code action, wait.
;; Once the editor is up it runs the file that SCENARIO names; any error there is the exit code of the process.

;; In a home of its own each Emacs would compile its packages anew.
(setq native-comp-deferred-compilation nil)

(require 'cl-lib)
(require 'json)
(require 'jsonrpc)
(require 'package)
(require 'seq)

(defvar scenario-limit 180 "Seconds to wait for anything.")
(defvar scenario-errors nil "What was asked in dialogs, where nobody answers.")

(defun scenario-texts (file)
  "The JSON in FILE, with hash tables and lists."
  (with-temp-buffer
    (insert-file-contents file)
    (let ((json-object-type 'hash-table) (json-array-type 'list) (json-key-type 'string)) (json-read))))

(defun scenario-wait (what is-so)
  "Wait until IS-SO gives something, and return that; an error that says WHAT after the limit."
  (let ((last (+ (float-time) scenario-limit)) found)
    (while (not (setq found (funcall is-so)))
      (when (> (float-time) last)
        (error "Waited in vain until %s; %s holds:\n%s" what (buffer-name) (buffer-string)))
      ;; Not `sit-for', which waits for nothing while the event of a watched file is pending.
      (read-event nil nil 0.05))
    found))

(defun scenario-open (path)
  "Show the file at PATH."
  (switch-to-buffer (find-file-noselect path))
  (scenario-see))

(defun scenario-see ()
  "Go on in the buffer that is shown, as if a command had just shown it."
  (set-buffer (window-buffer))
  (run-hooks 'post-command-hook)
  ;; lsp-mode begins once the user pauses; its timer for that may not run within another timer.
  (when (fboundp 'lsp--init-if-visible) (lsp--init-if-visible)))

(define-derived-mode scenario-note-mode fundamental-mode "Note")

(defun scenario-use-server (command)
  "Have text files looked at by the language server that COMMAND starts."
  (add-to-list 'auto-mode-alist '("\\.txt\\'" . scenario-note-mode))
  (if (featurep 'eglot)
      (progn
        (add-to-list 'eglot-server-programs (cons 'scenario-note-mode command))
        (add-hook 'scenario-note-mode-hook #'eglot-ensure))
    (add-to-list 'lsp-language-id-configuration '(scenario-note-mode . "plaintext"))
    (lsp-register-client
     (make-lsp-client :new-connection (lsp-stdio-connection command) :activation-fn (lsp-activate-on "plaintext") :server-id 'scripted))
    (add-hook 'scenario-note-mode-hook #'lsp-deferred)))

(defun scenario-is-live (server)
  "Whether SERVER runs, or its client has not noticed yet that it doesn't."
  (if (featurep 'eglot) (jsonrpc-running-p server)
    (memq server (apply #'append (hash-table-values (lsp-session-folder->servers (lsp-session)))))))

(defun scenario-wait-for-text (text)
  (scenario-wait (format "the buffer holds %s" text)
                 (lambda () (save-excursion (goto-char (point-min)) (search-forward text nil t)))))

(defun scenario-point-at (text)
  "Put point where TEXT begins."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun scenario-type (text)
  "Insert TEXT and pause, which is when eglot tells the server; its timer for that may not run within another timer."
  (insert text)
  (eglot--signal-textDocument/didChange))

(defun scenario-replace (old new)
  "Type NEW in place of OLD."
  (scenario-point-at old)
  (delete-char (length old))
  (scenario-type new))

(defun scenario-actions ()
  "The titles of the code actions at point."
  (mapcar (lambda (action) (plist-get action :title)) (append (eglot-code-actions (point) (point)) nil)))

(defun scenario-choose (title)
  "Choose the code action TITLE at point, by the key that the mode has for it; waits until it is offered."
  (scenario-wait (format "there is the action %s" title) (lambda () (member title (scenario-actions))))
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt choices &rest _)
               (or (car (assoc title choices)) (error "There is no %s in %S" title choices)))))
    (let ((last-nonmenu-event ?\r))
      (call-interactively (key-binding (kbd "C-c C-c"))))))

(defun scenario-events ()
  "All that was said to the server and by it."
  (mapconcat (lambda (buffer) (with-current-buffer buffer (buffer-string)))
             (seq-filter (lambda (buffer) (string-match-p "EGLOT.*events" (buffer-name buffer))) (buffer-list))
             "\n"))

(defun scenario-check-no-errors ()
  "Look through what was said."
  (let ((events (scenario-events))
        (shown (with-current-buffer "*Messages*" (buffer-string))))
    (unless (string-match-p "planact\\.executePlan" events) (error "There are no events to look at"))
    (when (string-match "\\(?::error[ \t\n]+(:code\\|\"error\":[ \t\n]*{\\).*" events)
      (error "An error was answered: %s" (match-string 0 events)))
    (when (string-match "Server reports (type=[12]).*" shown) (error "An error was told: %s" (match-string 0 shown)))
    (when scenario-errors (error "Dialogs were shown: %S" scenario-errors))))

(defvar scenario-answers nil
  "What the user answers, once each: lists of a part of the prompt and an answer, which is part of what is offered.")
(defvar lsp-auto-guess-root)
(defvar scenario-asked nil "The prompts that were answered, with the mode line then, the last first.")

;; A question in a dialog would wait for ever.
(defun scenario--answer (prompt &optional choices &rest _)
  (let ((given (seq-find (lambda (answer) (string-search (car answer) prompt)) scenario-answers)))
    (unless given
      (push prompt scenario-errors)
      (error "Asked in a dialog: %s" prompt))
    (setq scenario-answers (remq given scenario-answers))
    (push (list prompt (planact-mode-line)) scenario-asked)
    (if (not (functionp choices)) (cadr given)
      (or (seq-find (lambda (choice) (string-search (cadr given) choice)) (all-completions "" choices))
          (error "There is no %s in %S" (cadr given) (all-completions "" choices))))))

(defun scenario-use-planact (model)
  "Set planact up as the README says; its model answers from the file MODEL."
  (let ((tests (file-name-directory (getenv "SCENARIO"))))
    (add-to-list 'load-path (expand-file-name "../../server/editors/emacs" tests))
    (require (intern (concat "planact-" (or (getenv "CLIENT") "eglot"))))
    (setq lsp-auto-guess-root t ; else it asks which folder is the project
          planact-idle-seconds 0
          planact-settings (list :model (concat "scripted:" (expand-file-name model tests))))))

(defun scenario--save-all (prompter actor buffers &rest _)
  "Say yes to each question of `save-some-buffers'; how many there were."
  (cl-loop for buffer in buffers
           when (stringp (funcall prompter buffer)) do (funcall actor buffer) and count t))

(defun scenario-shut-down ()
  "End the server, which may take its time on a busy machine; lsp-mode does so by itself."
  (when (featurep 'eglot)
    (maphash (lambda (_ servers) (dolist (server servers) (eglot-shutdown server nil scenario-limit)))
             (copy-hash-table eglot--servers-by-project))))

(defun scenario-run (file)
  "Load FILE and leave; any error is the exit code of the process."
  (dolist (asks '(completing-read read-string y-or-n-p yes-or-no-p read-from-minibuffer))
    (advice-add asks :override #'scenario--answer))
  (advice-add 'map-y-or-n-p :override #'scenario--save-all)
  (condition-case problem
      (progn
        (package-initialize)
        (load file nil t)
        (scenario-shut-down)
        (kill-emacs 0))
    (error (princ (format "%s\n%s\n" (error-message-string problem) (scenario-events)) #'external-debugging-output)
           (kill-emacs 1))))

;; On a busy machine.
(setq jsonrpc-default-request-timeout scenario-limit)

;; The shipped code is to be run, not to be compiled in the background.
(setq native-comp-deferred-compilation nil)
(run-with-timer 0 nil #'scenario-run (getenv "SCENARIO"))
