;;; planact-lsp.el --- planact by lsp-mode  -*- lexical-binding: t; -*-

;; lsp-mode gives a buffer several servers, so planact works beside that of each language and reads what isn't saved.

(require 'lsp-mode)
(require 'planact)
(require 'planact-symbols)

(add-to-list 'lsp-language-id-configuration '(planact-mode . "plan"))
(add-hook 'planact-mode-hook #'lsp-deferred)
(setq planact-code-actions #'lsp-execute-code-action
      planact-nil-is-false t)

(defun planact--is-lsp (workspace)
  (and (eq (lsp--client-server-id (lsp--workspace-client workspace)) 'planact)
       (eq (lsp--workspace-status workspace) 'initialized)))

(setq planact-find-server
      (lambda ()
        (or (seq-find #'planact--is-lsp (lsp-workspaces))
            (seq-find (lambda (workspace)
                        (and (planact--is-lsp workspace) (file-in-directory-p default-directory (lsp--workspace-root workspace))))
                      (and lsp--session (lsp--session-workspaces lsp--session))))))

(cl-defmethod planact-request ((server lsp--workspace) method params done failed)
  (with-lsp-workspace server
    (lsp-request-async method params done :error-handler failed :mode 'detached)))

(cl-defmethod planact-ask ((server lsp--workspace) method params)
  (with-lsp-workspace server (lsp-request method params)))

(cl-defmethod planact-document ((_server lsp--workspace)) (lsp--text-document-identifier))

(cl-defmethod planact-restart-server ((server lsp--workspace)) (lsp-workspace-restart server))

(defun planact--lsp-click (command)
  (planact-run-command (planact--server) (planact--get command :command) (planact--get command :arguments)))

(defun planact--lsp-ready (server)
  "Take the commands of SERVER upon ourselves: lsp-mode would wait for their end, and give it up after ten seconds."
  (let ((handlers (lsp--client-action-handlers (lsp--workspace-client server))))
    (seq-do (lambda (name) (puthash name #'planact--lsp-click handlers))
            (planact--get (lsp--workspace-server-capabilities server) :executeCommandProvider :commands)))
  (planact-connected server))

(defun planact--lsp-edit (edit)
  "Make an EDIT; lsp-mode would say so for each."
  (condition-case problem
      ;; lsp-mode would tell the change to planact alone.
      (let ((inhibit-message t) (lsp--cur-workspace nil)) (lsp--apply-workspace-edit edit 'server-requested) '(:applied t))
    (error (list :applied :json-false :failureReason (error-message-string problem)))))

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection '("planact" "serve"))
  :activation-fn (lambda (_file _mode) (not planact-hidden)) ; what is hidden is edited on disk
  :add-on? t
  :server-id 'planact
  :initialization-options (lambda () (list :settings (or planact-settings (make-hash-table))))
  :custom-capabilities '((experimental . ((planact . ((questions . t) (save . t) (diagnostics . t) (references . t) (symbols . t) (messages . t))))))
  :initialized-fn #'planact--lsp-ready
  :notification-handlers
  (let ((handlers (make-hash-table :test #'equal)))
    (dolist (method '("modeChanged" "questionPending" "questionResolved" "message" "messageDelta" "modelRetry" "planChanged" "executionProgress"
                      "usage" "workChanged")
                    handlers)
      (let ((name (concat "planact/" method))) (puthash name (lambda (server params) (planact-heard server name params)) handlers))))
  :request-handlers
  (let ((handlers (make-hash-table :test #'equal)))
    (puthash "planact/save" (lambda (_server params) (list :saved (planact-save (planact--get params :uris)))) handlers)
    (puthash "planact/diagnostics"
             (lambda (server params)
               (let ((lsp--cur-workspace nil)) ; lsp-mode takes the server that it hears for the only one meanwhile
                 (planact-diagnostics (planact--get params :uris) (planact--get params :wait_ms) (lsp--workspace-proc server))))
             handlers)
    (dolist (method planact-symbol-requests)
      (puthash method
               (lambda (server params)
                 (let ((lsp--cur-workspace nil)) (planact-tell-symbols method params (lsp--workspace-proc server))))
               handlers))
    (puthash "workspace/applyEdit" (lambda (_server params) (planact--lsp-edit (planact--get params :edit))) handlers)
    handlers)))

(defun planact--lsp-hear (server params)
  "Hear what SERVER says, if it isn't planact."
  (unless (eq (lsp--client-server-id (lsp--workspace-client server)) 'planact)
    (let* ((uri (planact--get params :uri)) (buffer (find-buffer-visiting (planact--path uri))))
      (planact-hear-diagnostics server uri (planact--get params :version)
                                (and buffer (buffer-local-value 'lsp--cur-version buffer))
                                (planact--get params :diagnostics)))))

(advice-add 'lsp--on-diagnostics :after #'planact--lsp-hear)

(setq planact-other-servers
      (lambda ()
        (seq-remove (lambda (server) (eq (lsp--client-server-id (lsp--workspace-client server)) 'planact)) (lsp-workspaces)))
      planact-tell-servers #'lsp--flush-delayed-changes
      planact-capabilities #'lsp--workspace-server-capabilities
      planact-can (lambda (server method) (memq server (lsp--find-workspaces-for method)))
      planact-known-text (lambda () (and (seq-some #'planact--is-lsp (lsp-workspaces)) (lsp--versioned-text-document-identifier)))
      planact-start-servers (lambda () (when (bound-and-true-p lsp--buffer-deferred) (lsp))))

(provide 'planact-lsp)
;;; planact-lsp.el ends here
