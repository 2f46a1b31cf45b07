;;; planact-diagnostics.el --- Tells planact what is amiss in files  -*- lexical-binding: t; -*-

;; What language servers say is kept with the text that they said it of.  What else reports to Flymake is asked anew.

(require 'planact-server)

(defvar planact-other-servers #'ignore "The client's language servers of the current buffer, but planact.")
(defvar planact-tell-servers #'ignore "Has the client's servers know the text of the current buffer now.")
(defvar planact-start-servers #'ignore "Has the client start the servers of the current buffer, which nobody sees.")
(defvar-local planact-hidden nil "Whether this buffer is only there to have its file looked at.")
(put 'planact-hidden 'permanent-local t)

(defconst planact--clients '(eglot-flymake-backend lsp-diagnostics--flymake-backend))
(defconst planact--quiet 0.15 "Seconds; a server that names no versions may speak of one text several times.")
(defconst planact--largest 1000000 "Bytes of a file that is opened only to be looked at.")
(defconst planact--severities ["error" "warning" "information" "hint"])

(defvar planact--spoken (make-hash-table :test #'eq :weakness 'key)
  "By server, what it said last: a table of (TICK TIME IS-VERSIONED DIAGNOSTICS) by file.")

(defun planact-hear-diagnostics (server uri version current diagnostics)
  "Keep what SERVER says of the file URI, unless its VERSION is older than the CURRENT one of the buffer."
  (when-let ((buffer (find-buffer-visiting (planact--path uri))))
    (unless (and (numberp version) (numberp current) (< version current))
      (let ((files (or (gethash server planact--spoken) (puthash server (make-hash-table :test #'equal) planact--spoken))))
        (puthash (buffer-file-name buffer)
                 (list (buffer-chars-modified-tick buffer) (float-time) (numberp version) (append diagnostics nil))
                 files)))))

(defun planact--speaking ()
  "The servers of this buffer that have told of files before."
  (seq-filter (lambda (server) (gethash server planact--spoken)) (funcall planact-other-servers)))

(defun planact--word-of (server)
  "What SERVER said of the text of this buffer, or nil."
  (pcase (gethash buffer-file-name (gethash server planact--spoken))
    ((and word `(,tick ,time ,is-versioned ,_))
     (and (eql tick (buffer-chars-modified-tick))
          (or is-versioned (> (- (float-time) time) planact--quiet))
          word))))

(defun planact--linters ()
  "What reports to Flymake in this buffer, but for language clients."
  (and (bound-and-true-p flymake-mode) (seq-difference (flymake-running-backends) planact--clients)))

(defun planact--file-state ()
  (let ((speaking (planact--speaking)) (linters (planact--linters)))
    (cond ((not (or speaking linters)) "unserved")
          ((and (seq-every-p #'planact--word-of speaking) (null (seq-difference linters (flymake-reporting-backends)))) "known")
          (t "not_yet"))))

(defun planact--diagnostics-of (word)
  "The diagnostics of WORD, as planact reads them."
  (mapcar (lambda (each)
            (list :line (planact--get each :range :start :line)
                  :severity (aref planact--severities (1- (or (planact--get each :severity) 1)))
                  :message (planact--get each :message)
                  :source (or (planact--get each :source) "")
                  :code (format "%s" (or (planact--get each :code) ""))))
          (nth 3 word)))

(defun planact--shown (&optional others-only)
  "What Flymake shows of this buffer, with OTHERS-ONLY but by language clients.  In a plan, theirs is planact's own."
  (cl-loop for each in (and (bound-and-true-p flymake-mode) (flymake-diagnostics))
           for source = (flymake-diagnostic-backend each)
           for is-of-server = (memq source planact--clients)
           unless (and is-of-server (or others-only (derived-mode-p 'planact-mode)))
           collect (list :line (1- (line-number-at-pos (flymake-diagnostic-beg each) t))
                         :severity (pcase (get (flymake-diagnostic-type each) 'flymake-category)
                                     ('flymake-warning "warning") ('flymake-note "information") (_ "error"))
                         :message (flymake-diagnostic-text each)
                         :source (if (or is-of-server (not (symbolp source))) "" (symbol-name source)))))

(defun planact--shown-below (folder)
  "What Flymake shows of the files in FOLDER that are open."
  (cl-loop for buffer in (buffer-list)
           for file = (buffer-local-value 'buffer-file-name buffer)
           for found = (and file (not (file-remote-p file)) (file-in-directory-p file folder)
                            (with-current-buffer buffer (planact--shown)))
           when found
           collect (list :uri (concat "file://" (url-hexify-string file url-path-allowed-chars))
                         :state "known" :diagnostics (vconcat found))))

(defun planact--open-hidden (file)
  "Open FILE without showing it, and have it looked at."
  (let ((inhibit-message t) (enable-local-variables :safe) (large-file-warning-threshold nil))
    (when (and (file-readable-p file) (< (file-attribute-size (file-attributes file)) planact--largest))
      (let ((buffer (let ((planact-hidden t)) (find-file-noselect file t))))
        (with-current-buffer buffer
          (setq planact-hidden t)
          (funcall planact-start-servers))
        buffer))))

(defun planact--look-at (uri)
  "The buffer of the file URI, whose text is told to those who look at it; nil if there is none."
  (when-let* ((file (planact--path uri))
              (buffer (or (find-buffer-visiting file) (ignore-errors (planact--open-hidden file)))))
    (with-current-buffer buffer
      (funcall planact-tell-servers)
      (when (planact--linters) (flymake-start)))
    buffer))

(defun planact--hear-others (own)
  "Wait a moment for what other processes than OWN say, whose next message may not come amid its request."
  (let ((others (seq-filter #'process-live-p (remq own (process-list)))))
    (if others (dolist (process others) (accept-process-output process 0.01 nil t)) (sleep-for 0.03))))

(defun planact-diagnostics (uris wait-ms own)
  "What is known of the files URIS, for which this waits WAIT-MS at most; of folders, what is shown.  OWN is planact's process."
  (planact--show-written)
  (let* ((uris (append uris nil))
         (folders (seq-filter (lambda (uri) (string-suffix-p "/" uri)) uris))
         (files (mapcar (lambda (uri) (cons uri (planact--look-at uri))) (seq-difference uris folders)))
         (until (+ (float-time) (/ wait-ms 1000.0)))
         (state (lambda (file) (if (cdr file) (with-current-buffer (cdr file) (planact--file-state)) "unserved"))))
    (while (and (seq-some (lambda (file) (equal (funcall state file) "not_yet")) files) (< (float-time) until))
      (planact--hear-others own))
    (list :files
          (vconcat
           (mapcar (lambda (file)
                     (let ((state (funcall state file)))
                       (list :uri (car file) :state state
                             :diagnostics (if (not (equal state "known")) []
                                            (with-current-buffer (cdr file)
                                              (vconcat (seq-mapcat (lambda (server) (planact--diagnostics-of (planact--word-of server))) (planact--speaking))
                                                       (planact--shown t)))))))
                   files)
           (seq-mapcat (lambda (uri) (planact--shown-below (planact--path uri))) folders)))))

(provide 'planact-diagnostics)
;;; planact-diagnostics.el ends here
