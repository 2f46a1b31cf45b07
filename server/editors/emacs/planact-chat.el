;;; planact-chat.el --- The conversation in a buffer  -*- lexical-binding: t; -*-

;; What was said, with a line for each call, and a heading for each step.  TAB folds the step, or the calls between two
;; answers.

(require 'outline)
(require 'planact-server)

(defvar-local planact-chat--session nil "The id of the session that is shown.")
(defvar-local planact-chat--calls nil "What was said of calls that have no result yet, by their ids.")
(defvar-local planact-chat--group nil "The calls that came last, if nothing was said since.")
(defvar-local planact-chat--running nil "The overlay that shows the calls that run, at the end.")

(defvar planact-chat-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "TAB") #'planact-chat-fold)
    (define-key map (kbd "s") #'planact-say)
    map))

(define-derived-mode planact-chat-mode special-mode "Planact"
  "Read the conversation with planact."
  (visual-line-mode)
  (setq-local outline-regexp "### ")
  (setq buffer-invisibility-spec nil)
  (outline-minor-mode)
  (setq planact-chat--calls (make-hash-table :test #'equal)
        planact-chat--running (make-overlay (point-max) (point-max) nil nil t)))

(defconst planact-chat--deeds
  '(("read_file" . "read") ("list_directory" . "listed") ("find_files" . "searched") ("search_code" . "searched")
    ("search_symbol" . "looked up") ("find_definition" . "looked up") ("find_references" . "looked up")
    ("get_diagnostics" . "read the problems") ("create_file" . "created") ("update_file" . "changed")
    ("rename_file" . "renamed") ("delete_file" . "deleted") ("execute_command" . "ran") ("start_command" . "started")
    ("write_plan" . "wrote the plan") ("ask_user" . nil) ("exit_plan_mode" . nil))
  "What each tool did; nothing is said of those whose question is shown.")

(defconst planact-chat--languages
  '(("python" . python-mode) ("py" . python-mode) ("javascript" . js-mode) ("js" . js-mode) ("json" . js-mode) ("c" . c-mode)
    ("cpp" . c++-mode) ("java" . java-mode) ("css" . css-mode) ("sh" . sh-mode) ("bash" . sh-mode) ("diff" . diff-mode)
    ("sql" . sql-mode) ("elisp" . emacs-lisp-mode) ("ruby" . ruby-mode) ("perl" . perl-mode))
  "The mode that colours code, by the name that a model gives: it must not choose which function is called.")

(defun planact-chat--json (text)
  "The object that TEXT stands for, or nil."
  (let ((found (ignore-errors (json-parse-string text :object-type 'plist :false-object :json-false :null-object nil))))
    (and (consp found) found)))

(defun planact-chat--did (call)
  "What a CALL did, in a line; nil where nothing is said of it."
  (let* ((name (planact--get call :name)) (known (assoc name planact-chat--deeds))
         (given (planact-chat--json (planact--get call :arguments)))
         (about (and given (seq-find #'planact--said (mapcar (lambda (key) (plist-get given key)) '(:path :command :pattern :query :task))))))
    (unless (and known (not (cdr known)))
      (replace-regexp-in-string "\n\\(.\\|\n\\)*" " …" (string-trim (concat (or (cdr known) name) " " about))))))

(defun planact-chat--coloured (text)
  "TEXT with its code coloured as its language is."
  (replace-regexp-in-string
   "^```\\([a-z+]*\\).*\n\\(\\(?:.*\n\\)*?\\)```$"
   (lambda (block)
     (let ((mode (cdr (assoc (match-string 1 block) planact-chat--languages))) (code (match-string 2 block)) (whole (copy-sequence block)))
       (when mode
         (let ((start (match-beginning 2)))
           (setq whole (concat (substring block 0 start) (planact-chat--font-lock code mode) (substring block (+ start (length code)))))))
       whole))
   text t t))

(defun planact-chat--font-lock (code mode)
  (save-match-data ; who replaces the code goes by it
    (with-temp-buffer
      (insert code)
      (delay-mode-hooks (funcall mode))
      (font-lock-ensure)
      (buffer-string))))

(defun planact-chat--insert (text)
  "Add TEXT and an empty line."
  (setq planact-chat--group nil)
  (insert (planact-chat--coloured (string-trim text)) "\n\n"))

(defun planact-chat--insert-call (text)
  "Add the line TEXT of a call; those between two answers fold behind the first."
  (if planact-chat--group
      (progn (delete-char -1) ; the empty line
             (insert (propertize (concat text "\n") 'planact-group planact-chat--group 'invisible planact-chat--group)))
    (setq planact-chat--group (make-symbol "calls"))
    (insert (propertize (concat text "\n") 'planact-group planact-chat--group)))
  (insert "\n"))

(defun planact-chat--add (message)
  "Add a MESSAGE at point."
  (let ((text (or (planact--get message :content) "")) (metadata (planact--get message :metadata)))
    (pcase (planact--get message :role)
      ("user" (planact-chat--insert (propertize (concat "› " (or (planact--said (planact--get metadata :typed)) text)) 'face 'bold)))
      ("assistant"
       (unless (string-blank-p text) (planact-chat--insert text))
       (seq-do (lambda (call) (puthash (planact--get call :id) (planact-chat--did call) planact-chat--calls)) (planact--get message :tool_calls)))
      ("tool"
       (let* ((id (planact--get message :tool_call_id)) (did (gethash id planact-chat--calls)) (result (planact-chat--json text))
              (problem (and (consp (plist-get result :error)) (planact--said (planact--get result :error :message)))))
         (remhash id planact-chat--calls)
         (when did (planact-chat--insert-call (if problem (concat "  ⊘ " did ": " problem) (concat "  " did))))))
      (_
       (unless (planact--true (planact--get metadata :begins_context))
         (planact-chat--insert
          (if (string-match "\\`Carry out step \\([0-9]+\\) of [0-9]+: \\(\\(?:.\\|\n\\)*?\\)\\.\\(?:[ \n]\\|\\'\\)" text)
              (propertize (format "### %s %s" (match-string 1 text) (match-string 2 text)) 'face 'outline-1)
            (propertize text 'face 'shadow))))))))

(defun planact-chat--extend (messages)
  "Add MESSAGES at the end; who reads further up goes on reading."
  (let ((inhibit-read-only t) (is-at-end (eobp)))
    (save-excursion (goto-char (point-max)) (seq-do #'planact-chat--add messages))
    (move-overlay planact-chat--running (point-max) (point-max))
    (when is-at-end
      (goto-char (point-max))
      (when-let ((window (get-buffer-window nil t))) (set-window-point window (point-max))))))

(defun planact-chat--buffer ()
  (with-current-buffer (get-buffer-create "*planact*")
    (unless (derived-mode-p 'planact-chat-mode) (planact-chat-mode))
    (current-buffer)))

(defun planact-chat-message (message)
  "Add a MESSAGE that came, if it belongs to the session that is shown."
  (with-current-buffer (planact-chat--buffer)
    (let ((session (planact--get message :session_id)))
      (unless planact-chat--session (setq planact-chat--session session))
      (when (equal session planact-chat--session) (planact-chat--extend (list message))))))

(defun planact-chat-working (works)
  "Show the calls of WORKS that run, at the end."
  (with-current-buffer (planact-chat--buffer)
    (let* ((here (seq-filter (lambda (work) (equal (planact--get work :session_id) planact-chat--session)) works))
           (calls (apply #'append (mapcar (lambda (work) (append (planact--get work :calls) nil)) here)))
           (lines (mapconcat (lambda (call) (concat "  ◌ " (planact--get call :text) "\n")) calls "")))
      (overlay-put planact-chat--running 'after-string (propertize lines 'face 'shadow)))))

(defun planact-chat-show-session (server id)
  "Show the session ID of SERVER, unless it is shown."
  (with-current-buffer (planact-chat--buffer)
    (unless (equal id planact-chat--session)
      (setq planact-chat--session id)
      (planact-request
       server "planact/transcript" (list :session_id id)
       (lambda (page)
         (with-current-buffer (planact-chat--buffer)
           (when (equal id planact-chat--session)
             (let ((inhibit-read-only t)) (erase-buffer))
             (setq planact-chat--group nil)
             (clrhash planact-chat--calls)
             (planact-chat--extend (planact--get page :messages)))))
       #'ignore))))

(defun planact-chat-fold ()
  "Fold the calls or the step at point, or show what is folded there."
  (interactive)
  (let ((group (get-text-property (line-beginning-position) 'planact-group)))
    (cond ((not group) (save-excursion (outline-back-to-heading) (outline-toggle-children)))
          ((memq group buffer-invisibility-spec) (remove-from-invisibility-spec group))
          (t (add-to-invisibility-spec group)))))

(provide 'planact-chat)
;;; planact-chat.el ends here
