;;; planact.el --- Plans as documents, with planact and eglot  -*- lexical-binding: t; -*-

;; planact in Emacs 29 and later, or in Emacs 28 with eglot 1.9.  Into init.el:
;;
;;   (load "/where/it/is/planact.el")
;;
;; Open or write a *.plan file.  C-c C-c offers what can be done with the plan, or with its step at point, and what an
;; editor with lenses shows above them; C-c C-k stops the work.  Settings go into `planact-settings', named as in the
;; README; the model is better chosen in ~/.config/planact/config.toml.
;;
;; eglot gives each buffer one server, so planact knows only plans as they are in Emacs.  Other files it reads and
;; writes on disk: you are asked to save them before it works, and see afterwards what it wrote.

(require 'cl-lib)
(require 'eglot)
(require 'project)
(require 'url-parse)
(require 'url-util)

(defvar planact-settings nil
  "Settings for planact as a property list, such as (:approval \"acceptEdits\").")

(defvar planact-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'eglot-code-actions)
    (define-key map (kbd "C-c C-k") #'planact-stop)
    map))

(define-derived-mode planact-mode text-mode "Plan"
  "Edit plans and have planact work on them."
  (setq-local font-lock-defaults
              '((("^#+ .*" . font-lock-function-name-face)
                 ("^ *>.*" . font-lock-comment-face)
                 ("^- \\[[ x~!-]\\]" . font-lock-keyword-face))
                t)))

(add-to-list 'auto-mode-alist '("\\.plan\\'" . planact-mode))
(add-hook 'planact-mode-hook #'eglot-ensure)

(defclass planact-server (eglot-lsp-server) ()
  "A running planact.")

(add-to-list 'eglot-server-programs '(planact-mode . (planact-server "planact" "serve")))

(cl-defmethod eglot-initialization-options ((_server planact-server))
  (list :settings (or planact-settings (make-hash-table))))

(cl-defmethod eglot-client-capabilities ((_server planact-server))
  (plist-put (cl-call-next-method) :experimental '(:planact (:save t))))

;;; What is asked of planact

(defun planact-stop ()
  "Stop what planact is working on."
  (interactive)
  (planact--execute (or (eglot-current-server) (user-error "Planact doesn't run here")) "planact.stop" nil))

;; eglot would wait for the end of a command, and give it up after ten seconds.  Plans take longer, and are to be read,
;; answered and stopped meanwhile.
(defun planact--execute (server command arguments)
  "Have SERVER run COMMAND with ARGUMENTS, and go on."
  (let ((root (project-root (eglot--project server))))
    (save-some-buffers nil (lambda ()
                             (and buffer-file-name
                                  (file-in-directory-p buffer-file-name root)
                                  (not (derived-mode-p 'planact-mode))))))
  (jsonrpc-async-request
   server :workspace/executeCommand (list :command command :arguments (or arguments []))
   :success-fn (lambda (_result) (planact--show-written))
   :error-fn (lambda (problem) (planact--show-written) (message "planact: %s" (plist-get problem :message)))
   :timeout nil))

(defun planact--show-written ()
  "Show what was written to files that are open and have no unsaved text."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and buffer-file-name
                 (not (file-remote-p buffer-file-name))
                 (not (buffer-modified-p))
                 (not (verify-visited-file-modtime))
                 (file-exists-p buffer-file-name))
        (revert-buffer t t t)))))

(cl-defmethod eglot-execute-command ((server planact-server) command arguments)
  "Emacs 28 and 29 run the COMMAND of a code action so."
  (planact--execute server (format "%s" command) arguments))

(cl-defmethod eglot-execute ((server planact-server) action)
  "Later ones run an ACTION so, which has a command or an edit."
  (let* ((nested (plist-get action :command))
         (command (if (stringp nested) action nested)))
    (if command
        (planact--execute server (plist-get command :command) (plist-get command :arguments))
      (cl-call-next-method))))

;;; What planact asks for

(defvar eglot-confirm-server-initiated-edits)
(defvar eglot-confirm-server-edits)

;; planact edits what the user had it edit, and asks by itself where it must.  It believes an edit when it sees the
;; text, which eglot would send only when the user pauses.
(cl-defmethod eglot-handle-request :around
  ((server planact-server) (_method (eql workspace/applyEdit)) &rest _params)
  "Make an edit of SERVER's without a question, and tell it at once."
  (let ((eglot-confirm-server-initiated-edits nil)
        (eglot-confirm-server-edits nil))
    (prog1 (cl-call-next-method)
      (dolist (buffer (eglot--managed-buffers server))
        (with-current-buffer buffer (eglot--signal-textDocument/didChange))))))

(cl-defmethod eglot-handle-request ((_server planact-server) (_method (eql planact/save)) &key uris)
  "Write the files URIS, so that a command sees them as Emacs shows them."
  (cl-loop for uri across uris
           for path = (decode-coding-string (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8)
           for buffer = (find-buffer-visiting path)
           when buffer do (with-current-buffer buffer (let ((before-save-hook nil)) (save-buffer)))
           and collect uri into saved
           finally return (list :saved (vconcat saved))))

(provide 'planact)
;;; planact.el ends here
