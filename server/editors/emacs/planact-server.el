;;; planact-server.el --- Speaks with planact, whatever the client  -*- lexical-binding: t; -*-

(require 'cl-lib)
(require 'flymake)
(require 'seq)
(require 'subr-x)
(require 'url-parse)
(require 'url-util)

(defvar planact-settings nil
  "Settings for planact as a property list, named as in its documentation: (:approval \"acceptEdits\").")

;;; What a client brings.  SERVER is its own object; JSON objects are property lists or hash tables, arrays sequences.

(defvar planact-find-server #'ignore "Gives the planact of the current buffer, or of its project, or nil.")
(defvar planact-code-actions #'ignore "The client's command that offers what can be done at point.")
(cl-defgeneric planact-request (server method params done failed)
  "Send METHOD with PARAMS to SERVER and go on; then DONE is called with the result, or FAILED with the error.")
(cl-defgeneric planact-ask (server method params)
  "Send METHOD with PARAMS to SERVER and give the result.")
(cl-defgeneric planact-document (server)
  "The identifier of the current buffer for SERVER, which now knows its text.")
(cl-defgeneric planact-restart-server (server)
  "Have another in place of SERVER.")

(defun planact--get (object &rest keys)
  "What stands in OBJECT under the first of KEYS, in that under the next, and so on."
  (seq-reduce (lambda (from key)
                (if (hash-table-p from) (gethash (substring (symbol-name key) 1) from) (plist-get from key)))
              keys object))

(defun planact--true (value) (not (memq value '(nil :json-false))))

(defun planact--said (text) (and (stringp text) (not (string-empty-p text)) text))

(defun planact--path (uri)
  (decode-coding-string (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8))

(defun planact--server ()
  (or (funcall planact-find-server) (user-error "Planact doesn't run here; open a *.plan file, with which it starts")))

(defun planact--call (server name arguments &optional done failed)
  "Have SERVER run the command NAME with ARGUMENTS, and go on.
DONE gets the result, FAILED the error, and says whether it has dealt with it."
  (planact-request
   server "workspace/executeCommand"
   (list :command (concat "planact." name) :arguments (vector (or arguments (make-hash-table))))
   (lambda (result)
     (planact--show-written)
     (when done (funcall done result)))
   (lambda (problem)
     (planact--show-written)
     (unless (or (eql (planact--get problem :code) -32800) ; cancelled: the user knows
                 (and failed (funcall failed problem)))
       (message "planact: %s" (planact--get problem :message))))))

(defun planact--list (server name key)
  "What the command NAME of SERVER lists under KEY."
  (append (planact--get (planact-ask server "workspace/executeCommand"
                                     (list :command (concat "planact." name) :arguments (vector (make-hash-table))))
                        key)
          nil))

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

(defun planact-save (uris)
  "Write the files URIS, so that a command sees them as Emacs shows them; those that are written."
  (cl-loop for uri across (vconcat uris)
           for buffer = (find-buffer-visiting (planact--path uri))
           when buffer do (with-current-buffer buffer (let ((before-save-hook nil) (inhibit-message t)) (save-buffer)))
           and collect uri into saved
           finally return (vconcat saved)))

(cl-defstruct planact-state mode work questions is-offered)

(defvar planact--states (make-hash-table :test #'eq :weakness 'key) "By server.")

(defun planact--state (server)
  (or (gethash server planact--states) (puthash server (make-planact-state) planact--states)))

(provide 'planact-server)
;;; planact-server.el ends here
