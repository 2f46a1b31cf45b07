;;; planact-symbols.el --- Tells planact what servers know of names  -*- lexical-binding: t; -*-

;; Where names are used and defined, and how language servers would change them.  Nothing is changed here, and no command
;; of theirs is run.

(require 'planact-diagnostics)

(defvar planact-can #'ignore "Whether SERVER, of the current buffer, answers METHOD.")
(defvar planact-capabilities #'ignore "The capabilities of SERVER.")
(defvar planact-known-text #'ignore "The URI and version under which planact knows the current buffer; nil = it reads the disk.")

(defconst planact-symbol-requests '("planact/references" "planact/definitions" "planact/renameEdits" "planact/codeActions"))
(defconst planact--longest-answer 10 "Seconds for all that one request of planact's asks.")
(defconst planact--diagnostics-ms 1500)
(defconst planact--most-actions 50)

(defvar planact--own nil "The process of the planact that is answered.")
(defvar planact--until nil "The time until which its answer is waited for.")

(defun planact--servers-for (method)
  "The servers of this buffer that answer METHOD."
  (seq-filter (lambda (server) (funcall planact-can server method)) (funcall planact-other-servers)))

(defun planact--asked (server method params)
  "The answer of SERVER to METHOD with PARAMS: (RESULT) or (nil PROBLEM); nil once the time is over."
  (let (answer)
    (when (< (float-time) planact--until)
      (planact-request server method params
                       (lambda (result) (setq answer (list result)))
                       (lambda (problem) (setq answer (list nil problem))))
      (while (and (null answer) (< (float-time) planact--until))
        (planact--hear-others planact--own)))
    answer))

(defun planact--encoding (server) (or (planact--get (funcall planact-capabilities server) :positionEncoding) "utf-16"))

(defun planact--units (text server)
  (pcase (planact--encoding server)
    ("utf-8" (length (encode-coding-string text 'utf-8)))
    ("utf-32" (length text))
    (_ (/ (length (encode-coding-string text 'utf-16le)) 2))))

(defun planact--line-text (number)
  "The text of the line NUMBER, from 0; nil if there is none."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (when (and (zerop (forward-line number)) (or (bolp) (zerop number)))
        (buffer-substring-no-properties (point) (line-end-position))))))

(defun planact--of-word (text at)
  "Whether the character AT in TEXT is one of a word."
  (and (<= 0 at) (< at (length text)) (string-match-p "[[:alnum:]_]" (string (aref text at)))))

(defun planact--name-start (text name occurrence)
  "Where NAME stands in TEXT, and isn't a part of a longer one; the first time for the OCCURRENCE 0."
  (let ((from 0) at found)
    (while (and (not found) (setq at (string-search name text from)))
      (let ((end (+ at (length name))))
        (cond ((or (planact--of-word text (1- at)) (planact--of-word text end)) (setq from (1+ at)))
              ((zerop occurrence) (setq found at))
              (t (setq occurrence (1- occurrence) from end)))))
    found))

(defun planact--uri (file) (concat "file://" (url-hexify-string file url-path-allowed-chars)))

(defun planact--asked-position (asked server)
  "The name that ASKED is about, in this buffer, as SERVER knows it; nil if it isn't there."
  (let* ((line (planact--get asked :line))
         (text (planact--line-text line))
         (at (and text (planact--name-start text (planact--get asked :name) (or (planact--get asked :occurrence) 0)))))
    (when at
      (list :textDocument (planact-document server)
            :position (list :line line :character (planact--units (substring text 0 at) server))))))

(defun planact--tell-places (method asked)
  (let (found)
    (dolist (server (planact--servers-for method))
      (when-let ((position (planact--asked-position asked server)))
        (let ((result (car (planact--asked server method (append position '(:context (:includeDeclaration t)))))))
          (seq-doseq (each (if (or (hash-table-p result) (keywordp (car-safe result))) (list result) result))
            (push (list :uri (or (planact--get each :targetUri) (planact--get each :uri))
                        :line (or (planact--get each :targetSelectionRange :start :line)
                                  (planact--get each :targetRange :start :line)
                                  (planact--get each :range :start :line)))
                  found)))))
    (list :references (vconcat (nreverse found)))))

(defun planact--present-texts ()
  (mapcar (lambda (buffer) (cons buffer (buffer-chars-modified-tick buffer))) (buffer-list)))

(defun planact--document (uri texts)
  "The document URI as planact knows it.  An error if its text isn't the one in TEXTS, which the edits are about."
  (let* ((file (and (string-prefix-p "file:" uri) (planact--path uri)))
         (buffer (and file (find-buffer-visiting file))))
    (if (not buffer) (list :uri (if file (planact--uri file) uri) :version -1)
      (with-current-buffer buffer
        (unless (eql (alist-get buffer texts) (buffer-chars-modified-tick)) (error "%s has changed meanwhile" file))
        (let ((known (funcall planact-known-text)))
          (when (and (not known) (buffer-modified-p)) (error "%s has unsaved text that planact is not told of" file))
          (or known (list :uri (planact--uri buffer-file-name) :version -1)))))))

(defun planact--told-edit (edit)
  (list :start_line (planact--get edit :range :start :line) :start_character (planact--get edit :range :start :character)
        :end_line (planact--get edit :range :end :line) :end_character (planact--get edit :range :end :character)
        :new_text (planact--get edit :newText)))

(defun planact--changes (changes)
  "The documents of CHANGES with their edits."
  (if (hash-table-p changes) (let (found) (maphash (lambda (uri edits) (push (cons uri edits) found)) changes) found)
    (cl-loop for (uri edits) on changes by #'cddr collect (cons (substring (symbol-name uri) 1) edits))))

(defun planact--proposed (edit server texts)
  "The workspace EDIT of SERVER, about TEXTS, as planact reads it."
  (condition-case problem
      (let ((documents
             (if-let ((all (planact--get edit :documentChanges)))
                 (mapcar (lambda (each)
                           (when (planact--get each :kind) (error "It would create, rename or delete files"))
                           (cons (planact--get each :textDocument :uri) (planact--get each :edits)))
                         all)
               (planact--changes (planact--get edit :changes)))))
        (list :encoding (planact--encoding server)
              :documents (vconcat (mapcar (lambda (each)
                                            (append (planact--document (car each) texts)
                                                    (list :edits (vconcat (mapcar #'planact--told-edit (cdr each))))))
                                          documents))))
    (error (list :problem (error-message-string problem)))))

(defun planact--tell-rename (asked)
  (let (told refusal)
    (dolist (server (planact--servers-for "textDocument/rename"))
      (when-let ((position (and (not told) (planact--asked-position asked server))))
        (pcase (let ((texts (planact--present-texts)))
                 (append (planact--asked server "textDocument/rename" (append position (list :newName (planact--get asked :new_name))))
                         (list texts)))
          (`(,(and edit (pred identity)) ,texts) (setq told (planact--proposed edit server texts)))
          (`(nil ,problem ,_) (setq refusal (list :problem (planact--get problem :message)))))))
    (or told refusal '(:documents []))))

(defun planact--faults (server line)
  "What SERVER said of the LINE of this buffer, in its own words."
  (vconcat (seq-filter (lambda (each) (eql (planact--get each :range :start :line) line))
                       (nth 3 (and (gethash server planact--spoken) (planact--word-of server))))))

(defun planact--told-action (action server texts)
  "The code ACTION as planact reads it; nil if it is no edit.  Its command is never run."
  (let* ((edit (or (planact--get action :edit)
                   (and (planact--get action :data) (planact--get (car (planact--asked server "codeAction/resolve" action)) :edit))))
         (edits (and edit (not (planact--get action :disabled)) (planact--proposed edit server texts))))
    (and (not (seq-empty-p (plist-get edits :documents))) (list :title (planact--get action :title) :edits edits))))

(defun planact--tell-actions (asked)
  (planact-diagnostics (list (planact--get asked :uri)) planact--diagnostics-ms planact--own)
  (let* ((line (planact--get asked :line))
         (text (planact--line-text line))
         (last (1- (line-number-at-pos (point-max) t)))
         actions)
    (dolist (server (and text (planact--servers-for "textDocument/codeAction")))
      (pcase-dolist (`(,first ,end ,faults ,kind)
                     (list (list line line (planact--faults server line) "quickfix") (list 0 last [] "source.organizeImports")))
        (let* ((texts (planact--present-texts))
               (range (list :start (list :line first :character 0)
                            :end (list :line end :character (planact--units (planact--line-text end) server))))
               (params (list :textDocument (planact-document server) :range range
                             :context (list :diagnostics faults :only (vector kind) :triggerKind 1))))
          (seq-doseq (action (car (planact--asked server "textDocument/codeAction" params)))
            (when (< (length actions) planact--most-actions)
              (when-let ((told (planact--told-action action server texts))) (cl-pushnew told actions :test #'equal)))))))
    (list :actions (vconcat (nreverse actions)))))

(defun planact-tell-symbols (method asked own)
  "Answer planact's request METHOD for what ASKED says.  OWN is planact's process."
  (let* ((planact--own own)
         (planact--until (+ (float-time) planact--longest-answer))
         (buffer (planact--look-at (planact--get asked :uri))))
    (with-current-buffer (or buffer (current-buffer))
      (pcase method
        ("planact/renameEdits" (if buffer (planact--tell-rename asked) '(:documents [])))
        ("planact/codeActions" (if buffer (planact--tell-actions asked) '(:actions [])))
        ((guard (not buffer)) '(:references []))
        ("planact/references" (planact--tell-places "textDocument/references" asked))
        ("planact/definitions" (planact--tell-places "textDocument/definition" asked))))))

(provide 'planact-symbols)
;;; planact-symbols.el ends here
