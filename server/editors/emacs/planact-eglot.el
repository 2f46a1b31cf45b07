;;; planact-eglot.el --- planact by eglot  -*- lexical-binding: t; -*-

;; In Emacs 29 and later, or in Emacs 28 with eglot 1.9.  eglot gives each buffer one server, so planact knows only plans as
;; they are in Emacs.  Other files it reads and writes on disk: you are asked to save them before it works, and see
;; afterwards what it wrote.

(require 'eglot)
(require 'project)
(require 'planact)
(require 'planact-symbols)

(defvar eglot-confirm-server-initiated-edits)
(defvar eglot-confirm-server-edits)

(defclass planact-server (eglot-lsp-server) ()
  "A running planact.")

(add-to-list 'eglot-server-programs '(planact-mode . (planact-server "planact" "serve")))
(add-hook 'planact-mode-hook #'eglot-ensure)
(setq planact-code-actions #'eglot-code-actions)

(cl-defmethod eglot-initialization-options ((_server planact-server))
  (list :settings (or planact-settings (make-hash-table))))

(cl-defmethod eglot-client-capabilities ((_server planact-server))
  (plist-put (cl-call-next-method) :experimental '(:planact (:questions t :save t :diagnostics t :references t :symbols t :messages t))))

(add-hook 'eglot-connect-hook (lambda (server) (when (cl-typep server 'planact-server) (planact-connected server))))

(defun planact--root (server) (expand-file-name (project-root (eglot--project server))))

(setq planact-find-server
      (lambda ()
        (let ((managing (eglot-current-server)) (servers (apply #'append (hash-table-values eglot--servers-by-project))))
          (if (cl-typep managing 'planact-server) managing
            (seq-find (lambda (server)
                        (and (cl-typep server 'planact-server) (file-in-directory-p default-directory (planact--root server))))
                      servers)))))

(defun planact--tell-text ()
  "Have the server know the text of this buffer now; eglot tells it only when the user pauses."
  (when (bound-and-true-p eglot--managed-mode) (eglot--signal-textDocument/didChange)))

;; eglot would wait for the end of a command, and give it up after ten seconds.  Plans take longer, and are to be read,
;; answered and stopped meanwhile.
(cl-defmethod planact-request ((server eglot-lsp-server) method params done failed)
  (planact--tell-text)
  (jsonrpc-async-request server (intern (concat ":" method)) params :success-fn done :error-fn failed :timeout nil))

(cl-defmethod planact-ask ((server planact-server) method params)
  (planact--tell-text)
  (jsonrpc-request server (intern (concat ":" method)) params))

(cl-defmethod planact-document ((_server eglot-lsp-server)) (eglot--TextDocumentIdentifier))

(cl-defmethod planact-restart-server ((server planact-server)) (eglot-reconnect server t))

(defun planact--save-and-run (server command arguments)
  "Have SERVER run COMMAND with ARGUMENTS when the files that it reads on disk are saved."
  (let ((root (planact--root server)))
    (save-some-buffers nil (lambda ()
                             (and buffer-file-name
                                  (file-in-directory-p buffer-file-name root)
                                  (not (derived-mode-p 'planact-mode))))))
  (planact-run-command server command arguments))

(cl-defmethod eglot-execute-command ((server planact-server) command arguments)
  "Emacs 28 and 29 run the COMMAND of a code action so."
  (planact--save-and-run server (format "%s" command) arguments))

(cl-defmethod eglot-execute ((server planact-server) action)
  "Later ones run an ACTION so, which has a command or an edit."
  (let* ((nested (plist-get action :command))
         (command (if (stringp nested) action nested)))
    (if command
        (planact--save-and-run server (plist-get command :command) (plist-get command :arguments))
      (cl-call-next-method))))

(cl-defmethod eglot-handle-notification :around ((server planact-server) method &rest params)
  (if (string-prefix-p "planact/" (format "%s" method))
      (planact-heard server (format "%s" method) params)
    (cl-call-next-method)))

;; planact edits what the user had it edit, and asks by itself where it must.  It believes an edit when it sees the text.
(cl-defmethod eglot-handle-request :around
  ((server planact-server) (_method (eql workspace/applyEdit)) &rest _params)
  "Make an edit of SERVER's without a question, and tell it at once."
  (let ((eglot-confirm-server-initiated-edits nil)
        (eglot-confirm-server-edits nil)
        (inhibit-message t))
    (prog1 (cl-call-next-method)
      (dolist (buffer (eglot--managed-buffers server))
        (with-current-buffer buffer (eglot--signal-textDocument/didChange))))))

(cl-defmethod eglot-handle-request ((_server planact-server) (_method (eql planact/save)) &key uris)
  (list :saved (planact-save uris)))

(cl-defmethod eglot-handle-request ((server planact-server) (_method (eql planact/diagnostics)) &key uris wait_ms &allow-other-keys)
  ;; eglot takes the server that it hears for that of each file opened meanwhile.
  (let ((eglot--cached-server nil)) (planact-diagnostics uris wait_ms (jsonrpc--process server))))

(defmacro planact--eglot-answers (&rest methods)
  "Have each of METHODS, which is about names, answered."
  `(progn
     ,@(mapcar (lambda (method)
                 `(cl-defmethod eglot-handle-request ((server planact-server) (_method (eql ,method)) &rest params)
                    (let ((eglot--cached-server nil))
                      (planact-tell-symbols ,(symbol-name method) params (jsonrpc--process server)))))
               methods)))

(planact--eglot-answers planact/references planact/definitions planact/renameEdits planact/codeActions)

(cl-defmethod eglot-handle-notification :after
  (server (_method (eql textDocument/publishDiagnostics)) &key uri version diagnostics &allow-other-keys)
  "Hear what SERVER says, if it isn't planact."
  (unless (cl-typep server 'planact-server)
    (let ((buffer (find-buffer-visiting (planact--path uri))))
      (planact-hear-diagnostics server uri version (and buffer (buffer-local-value 'eglot--versioned-identifier buffer)) diagnostics))))

(defconst planact--eglot-providers
  '(("textDocument/references" . :referencesProvider) ("textDocument/definition" . :definitionProvider)
    ("textDocument/rename" . :renameProvider) ("textDocument/codeAction" . :codeActionProvider)))

(setq planact-tell-servers #'planact--tell-text
      planact-other-servers
      (lambda ()
        (let ((server (eglot-current-server)))
          (and server (not (cl-typep server 'planact-server)) (list server))))
      planact-capabilities #'eglot--capabilities
      planact-can (lambda (server method)
                    (planact--true (plist-get (eglot--capabilities server) (cdr (assoc method planact--eglot-providers)))))
      planact-known-text (lambda () (and (cl-typep (eglot-current-server) 'planact-server) (eglot--VersionedTextDocumentIdentifier))))

(provide 'planact-eglot)
;;; planact-eglot.el ends here
