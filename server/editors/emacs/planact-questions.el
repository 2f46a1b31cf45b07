;;; planact-questions.el --- What planact asks, in the minibuffer  -*- lexical-binding: t; -*-

;; Options, or a form by its schema, field by field.  Who quits leaves a question open; the server alone says whether an
;; answer is good.

(require 'diff-mode)
(require 'map)
(require 'planact-server)

(defvar planact-idle-seconds 1
  "A question opens once you have not typed for so long; nil = only by \\[planact-answer].")

(defun planact--line (&rest parts)
  (replace-regexp-in-string "[ \t]*\n[ \t\n]*" " " (mapconcat #'identity (seq-filter #'planact--said parts) " · ")))

(defconst planact--most-shown 60
  "So many characters of choices are shown in a prompt.")

(defun planact--pick (prompt choices &optional preset)
  "The choice among CHOICES, lists of a label, a value and perhaps a description, that the user makes."
  (let* ((default (car (seq-find (lambda (choice) (and preset (equal (cadr choice) preset))) choices)))
         (notes (lambda (label) (when-let ((note (planact--said (nth 2 (assoc label choices))))) (concat "  " note))))
         (table (lambda (string predicate action)
                  (if (eq action 'metadata)
                      `(metadata (display-sort-function . identity) (annotation-function . ,notes))
                    (complete-with-action action choices string predicate))))
         (labels (mapconcat #'car choices ", "))
         (few (and (<= (length labels) planact--most-shown) labels)) ; of more, Tab shows them
         (about (planact--said (mapconcat #'identity (delq nil (list few (and default (concat "default " default)))) "; ")))
         (shown (if about (format "%s (%s): " prompt about) (concat prompt ": "))))
    (or (assoc (completing-read shown table nil t nil nil default) choices) (signal 'quit nil)))) ; no default, and nothing chosen

(defun planact--words-of (question)
  "The title and the reason of QUESTION where it has them, else all of it; without marks for code and for weight."
  (let ((title (planact--said (planact--get question :title))))
    (mapcar (lambda (text) (and text (replace-regexp-in-string "`\\|\\*\\*" "" text)))
            (list (or title (planact--get question :question)) (and title (planact--said (planact--get question :reason)))))))

(defun planact--typed (value)
  (cond ((memq value '(nil :null)) "") ((stringp value) value) (t (json-serialize value :false-object :json-false))))

(defun planact--is-text (schema)
  (let ((type (planact--get schema :type)))
    (or (equal type "string") (not (or type (planact--get schema :anyOf) (planact--get schema :oneOf) (planact--get schema :allOf))))))

(defvar planact-nil-is-false nil "Whether the client gives nil for false, as it does for null.")

(defun planact--choice (value title description)
  "The choice of VALUE as it came; TITLE may be missing."
  (let ((label (or (planact--said title) (pcase value ('t "Yes") (:json-false "No") ('nil "null") (_ (planact--typed value))))))
    (list label (or value (and planact-nil-is-false (not (equal label "null")) :json-false)) description)))

(defun planact--listed (schema)
  "The choices of a field whose SCHEMA lists values, or nil; those of whole questions are the server's options."
  (let ((titled (or (planact--get schema :oneOf) (planact--get schema :anyOf))))
    (cond
     ((and titled (seq-every-p (lambda (each) (if (hash-table-p each) (map-contains-key each "const") (and (consp each) (plist-member each :const)))) titled))
      (seq-map (lambda (each) (planact--choice (planact--get each :const) (planact--get each :title) (planact--get each :description))) titled))
     ((planact--get schema :enum) (seq-map (lambda (value) (planact--choice value nil nil)) (planact--get schema :enum)))
     ((equal (planact--get schema :type) "boolean") '(("Yes" t) ("No" :json-false))))))

(defun planact--choices (schema options)
  "The choices that OPTIONS or SCHEMA give, or nil."
  (if (seq-empty-p options)
      (planact--listed (if (equal (planact--get schema :type) "array") (planact--get schema :items) schema))
    (seq-map (lambda (each) (planact--choice (planact--get each :value) (planact--get each :label) (planact--get each :description)))
             options)))

(defun planact--hint (schema)
  (let ((from (or (planact--get schema :minLength) (planact--get schema :minimum)))
        (to (or (planact--get schema :maxLength) (planact--get schema :maximum)))
        (is-text (planact--is-text schema)))
    (planact--line (and (or from to) (format "%s to %s%s" (or from 0) (or to "…") (if is-text " characters" "")))
                   (and (planact--get schema :pattern) (concat "such as " (planact--get schema :pattern)))
                   (and (not is-text) (not (member (planact--get schema :type) '("integer" "number"))) "as JSON"))))

(defun planact--read (title schema preset is-optional)
  "A text that the user types, as the value that SCHEMA makes of it; what should be JSON and isn't is text."
  (let ((text (read-string (concat (planact--line title (planact--hint schema) (and is-optional "may be empty")) ": ")
                           (planact--typed preset))))
    (cond ((and is-optional (string-empty-p text)) nil)
          ((planact--is-text schema) text)
          (t (condition-case nil (json-parse-string text :object-type 'plist :false-object :json-false :null-object :null)
               (error text))))))

(cl-defun planact--value (title schema &key options preset is-optional takes-other)
  "The value that the user gives for a field; nil for an optional one that is left out."
  (let ((choices (planact--choices schema options)) (type (planact--get schema :type)))
    (cond
     ((and choices (equal type "array")) (planact--several title choices preset))
     (choices
      (let* ((others (append (and takes-other '(("Other…" planact--other))) (and is-optional '(("Leave out" nil)))))
             (value (cadr (planact--pick title (append choices others) preset))))
        (if (eq value 'planact--other) (planact--read title schema nil nil) value)))
     ((and (equal type "object") (planact--get schema :properties)) (planact--object title schema preset is-optional))
     ((and (equal type "array") (planact--get schema :items))
      (cl-loop with items = (planact--get schema :items)
               for number from 1
               for given = (ignore-errors (elt preset (1- number)))
               for value = (planact--value (planact--line title (format "number %d" number)) items :preset given :is-optional t)
               while value collect value into values
               finally return (vconcat values)))
     (t (planact--read title schema preset is-optional)))))

(defun planact--several (title choices preset)
  "Any number of CHOICES, toggled until the user is done."
  (let ((chosen (seq-map #'cadr (seq-filter (lambda (choice) (seq-contains-p preset (cadr choice))) choices))) label)
    (while (not (equal label "Done"))
      (let ((marked (seq-map (lambda (choice)
                               (cons (concat (if (member (cadr choice) chosen) "[x] " "[ ] ") (car choice)) (cdr choice)))
                             choices)))
        (pcase-let ((`(,picked ,value . ,_) (planact--pick title (append marked '(("Done" nil))))))
          (setq label picked)
          (unless (equal label "Done")
            (setq chosen (if (member value chosen) (remove value chosen) (append chosen (list value))))))))
    (vconcat chosen)))

(defun planact--object (title schema preset is-optional)
  "An object with the properties of SCHEMA, those that are required first."
  (let* ((required (append (planact--get schema :required) nil))
         (properties (planact--get schema :properties))
         (names (if (hash-table-p properties) (hash-table-keys properties)
                  (cl-loop for (key _) on properties by #'cddr collect (substring (symbol-name key) 1))))
         (object (make-hash-table :test #'equal)))
    (dolist (name (append required (seq-difference names required)))
      (let* ((key (intern (concat ":" name))) (inner (planact--get properties key)))
        (when inner
          (let ((value (planact--value (planact--line title (or (planact--get inner :title) name) (planact--get inner :description)) inner
                                       :preset (or (planact--get preset key) (planact--get inner :default))
                                       :is-optional (not (member name required)))))
            (when value (puthash name value object))))))
    (unless (and is-optional (hash-table-empty-p object)) object)))

(defconst planact--with-words "Reject, and say why…")

(defun planact--words (about)
  (read-string (concat (planact--line about "What should be different? The agent reads this") ": ")))

(defun planact--ask-leave (set title)
  "Ask for leave for the edits of SET, file by file if the user wants that, and give what goes with the answer."
  (let* ((question (elt (planact--get set :questions) 0))
         (edits (append (planact--get set :edits) nil))
         (choices (append (planact--choices nil (planact--get question :options))
                          (and (cdr edits) '(("File by file…" planact--by-file "each difference by itself")))
                          `((,planact--with-words planact--words))))
         (value (cadr (planact--pick title choices)))
         (rejected nil) (comments nil))
    (pcase value
      ('planact--words (setq value "reject_once" comments (list (planact--words title))))
      ('planact--by-file
       (cl-loop for edit in edits for number from 1
                for path = (planact--get edit :path)
                for said = (car (planact--pick (format "%d of %d · %s would be %s" number (length edits) path (planact--get edit :what))
                                               `(("Allow") ("Reject") (,planact--with-words))))
                unless (equal said "Allow") do (push path rejected)
                when (equal said planact--with-words) do (push (concat path ": " (planact--words path)) comments))
       (setq value (if (length= rejected (length edits)) "reject_once" "allow_once"))
       (when (equal value "reject_once") (setq rejected nil))))
    (let ((answers (make-hash-table :test #'equal)))
      (puthash (planact--get question :name) value answers)
      (list :answers answers :rejected (vconcat (reverse rejected)) :comment (string-join (reverse comments) "\n")))))

(defun planact--ask-set (server set &optional answers names problem)
  "Ask the questions of SET, only those in NAMES if there are any, and send what comes of it with ANSWERS."
  (let* ((questions (append (planact--get set :questions) nil))
         (id (planact--get set :question_id))
         (answers (or answers (make-hash-table :test #'equal)))
         (is-leave (and (equal (planact--get set :purpose) "approval") (not (seq-empty-p (planact--get set :edits)))))
         (context (planact--show-context questions))
         (leave nil))
    (unwind-protect
        (if is-leave
            (setq leave (planact--ask-leave set (apply #'planact--line problem (planact--words-of (car questions)))))
          (cl-loop for question in questions for number from 1
                   for name = (planact--get question :name)
                   for severity = (planact--get question :severity)
                   for about = (planact--get question :context)
                   when (or (not names) (member name names))
                   do (puthash name
                               (planact--value
                                (planact--line problem (and (equal severity "critical") "Critical") (car (planact--words-of question)) (cadr (planact--words-of question))
                                               (and (stringp about) (not (string-search "\n" about)) about)
                                               (and (cdr questions) (format "%d of %d" number (length questions))))
                                (planact--get question :schema)
                                :options (planact--get question :options)
                                :preset (or (gethash name answers) (planact--get question :default))
                                :takes-other (planact--true (planact--get question :allow_custom)))
                               answers)))
      (when context (let ((window (get-buffer-window context))) (when window (delete-window window))) (kill-buffer context)))
    (planact--call server "answerQuestion" (append (list :question_id id) (or leave (list :answers answers)))
                   (lambda (_) (planact--resolved server id))
                   (lambda (failure)
                     (when (equal (planact--get failure :data :code) "ANSWER_INVALID")
                       (let* ((message (planact--get failure :message))
                              (wrong (seq-filter (lambda (name) (string-match-p (format "\\_<%s:\\|'%s'" (regexp-quote name) (regexp-quote name)) message))
                                                 (mapcar (lambda (question) (planact--get question :name)) questions))))
                         (planact--soon (lambda () (planact--ask-set server set answers wrong message)))
                         t))))))

(defun planact--show-context (questions)
  "Show what of QUESTIONS needs room, such as a difference, in a buffer, or give nil."
  (let ((texts (seq-filter (lambda (text) (and (stringp text) (string-search "\n" text)))
                           (mapcar (lambda (question) (planact--get question :context)) questions))))
    (when texts
      (with-current-buffer (generate-new-buffer "*planact question*")
        (insert (replace-regexp-in-string "^```.*\n?" "" (string-join texts "\n\n")))
        (goto-char (point-min))
        (when (string-match-p "^```diff" (car texts)) (diff-mode))
        (setq buffer-read-only t)
        (display-buffer (current-buffer))
        (current-buffer)))))

(defun planact--soon (work)
  "Do WORK when the hands are free: a question is no place for what is being typed elsewhere."
  (let ((run (lambda () (condition-case nil (funcall work) (quit (message "The question stays open, for M-x planact-answer or planact-decline"))))))
    (cond
     ((not planact-idle-seconds) (message "A question waits for you: M-x planact-answer"))
     ((active-minibuffer-window)
      (letrec ((later (lambda () (remove-hook 'minibuffer-exit-hook later) (planact--soon work)))) (add-hook 'minibuffer-exit-hook later)))
     ((zerop planact-idle-seconds) (run-with-timer 0 nil run))
     (t (run-with-idle-timer planact-idle-seconds nil
                             (lambda () (if (active-minibuffer-window) (planact--soon work) (funcall run))))))))

(defun planact--pending (server set)
  "A question of SERVER came.  It is shown once by itself."
  (let ((state (planact--state server)) (id (planact--get set :question_id)))
    (unless (planact--open-set state id)
      (setf (planact-state-questions state) (append (planact-state-questions state) (list set)))
      (planact--soon (lambda () (when (planact--open-set state id) (planact--ask-set server set)))))))

(defun planact--open-set (state id)
  (seq-find (lambda (set) (equal (planact--get set :question_id) id)) (planact-state-questions state)))

(defun planact--resolved (server id)
  (let ((state (planact--state server)))
    (setf (planact-state-questions state)
          (seq-remove (lambda (set) (equal (planact--get set :question_id) id)) (planact-state-questions state))))
  (force-mode-line-update t))

(defun planact--choose-set (server)
  (let ((sets (planact-state-questions (planact--state server))))
    (cond ((not sets) (user-error "No question waits for an answer"))
          ((not (cdr sets)) (car sets))
          (t (cadr (planact--pick "Which question" (mapcar (lambda (set) (list (planact--line (car (planact--words-of (elt (planact--get set :questions) 0)))) set)) sets)))))))

(defun planact-answer ()
  "Answer a question that waits."
  (interactive)
  (let ((server (planact--server))) (planact--ask-set server (planact--choose-set server))))

(defun planact-decline ()
  "Say that you won't answer a question that waits."
  (interactive)
  (let ((server (planact--server)))
    (planact--call server "declineQuestion" (list :question_id (planact--get (planact--choose-set server) :question_id)))))

(provide 'planact-questions)
;;; planact-questions.el ends here
