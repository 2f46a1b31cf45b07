;;; planact.el --- Plans as documents: commands and the mode line  -*- lexical-binding: t; -*-

;; For Emacs 28 and later.  Not loaded by itself: `planact-eglot' and `planact-lsp' bring the client.  See ../README.md.

(require 'planact-chat)
(require 'planact-questions)
(require 'planact-server)
(require 'planact-work)

(defvar planact-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'planact-actions)
    (define-key map (kbd "C-c C-e") #'planact-execute)
    (define-key map (kbd "C-c C-a") #'planact-answer)
    (define-key map (kbd "C-c C-k") #'planact-stop)
    (define-key map (kbd "C-c p c") #'planact-comment)
    (define-key map (kbd "C-c p r") #'planact-review)
    (define-key map (kbd "C-c p a") #'planact-go-to-what-waits)
    map))

(define-derived-mode planact-mode text-mode "Plan"
  "Edit plans and have planact work on them."
  (setq-local font-lock-defaults
              '((("^#+ .*" . font-lock-function-name-face)
                 ("^ *\\(>\\).*" (0 font-lock-comment-face)
                  (1 '(face font-lock-comment-face display (left-fringe right-triangle)) append))
                 ("^- \\[[ x~!-]\\]" . font-lock-keyword-face))
                t))
  (add-hook 'find-file-hook #'planact--show-goal nil t))

(add-to-list 'auto-mode-alist '("\\.plan\\'" . planact-mode))

;;; What the server tells

(defun planact-connected (server)
  "Learn from SERVER what was before: the mode, and the questions that wait."
  (let ((state (planact--state server)))
    (planact--call server "showStatus" nil
                   (lambda (status)
                     (setf (planact-state-mode state) (planact--get status :mode)
                           (planact-state-work state) (planact--get status :work))
                     (when-let ((session (planact--get status :session))) (planact-chat-show-session server (planact--get session :id)))
                     (planact--offer server)
                     (force-mode-line-update t)))
    (planact--call server "listQuestions" nil
                   (lambda (open) (seq-do (lambda (set) (planact--pending server set)) (planact--get open :questions))))))

(defun planact-heard (server method params)
  "Take notice of METHOD, with PARAMS, of SERVER."
  (let ((state (planact--state server)))
    (pcase method
      ("planact/modeChanged"
       (setf (planact-state-mode state) (planact--get params :mode))
       (planact-chat-show-session server (planact--get params :session_id)))
      ("planact/workChanged"
       (setf (planact-state-work state) (planact--get params :work))
       (planact-chat-working (planact--get params :works)))
      ("planact/modelRetry" (planact--tell-retry params))
      ("planact/questionPending" (planact--pending server params))
      ("planact/questionResolved" (planact--resolved server (planact--get params :question_id)))
      ("planact/message" (planact-chat-message params))))
  (force-mode-line-update t))

(defun planact-mode-line ()
  "The mode, whether a question waits, and how far the work is; empty where there is no planact."
  (let ((server (funcall planact-find-server)))
    (cond
     ((and server (not (planact-state-mode (planact--state server)))) " planact: starting")
     (server (concat " " (planact--work-words (planact--state server))))
     ((derived-mode-p 'planact-mode) " planact: not running")
     (t ""))))

(add-to-list 'mode-line-misc-info '(:eval (planact-mode-line)) t)

;;; Commands

(defun planact-actions ()
  "Offer what can be done with the plan, or its step at point, and what mends it."
  (interactive)
  (call-interactively planact-code-actions))

(defun planact-run-command (server command arguments)
  "Have SERVER run a COMMAND that it offered, with its ARGUMENTS, and tell what came of it."
  (let ((name (string-remove-prefix "planact." command)) (given (and (not (seq-empty-p arguments)) (elt arguments 0))))
    (unless (string-empty-p name)
      (if (and (equal name "answerQuestion") (not (planact--get given :uri)))
          (planact-answer)
        (planact--call server name given (lambda (result) (planact--tell-end server name given result)))))))

(defvar planact--endings
  '(("success" . "is carried out") ("partial_success" . "is partly done") ("failed" . "failed") ("aborted" . "was aborted") ("paused" . "is paused") ("nothing_done" . "ended with nothing done")))

(defun planact--names (files) (mapconcat #'identity files ", "))

(defun planact--tell-run (server run ending)
  "Say the ENDING of a RUN, and which open files that it changed aren't saved, as far as a SERVER that ends still says so."
  (planact--call server "showExecution" (list :execution_id (planact--get run :id))
                 (lambda (shown)
                   (let ((unsaved (planact--said (planact--names (planact--get shown :unsaved)))))
                     (message "%s%s" ending (if unsaved (format "; not saved: %s (M-x planact-save-files)" unsaved) ""))))
                 (lambda (_problem) (message "%s" ending) t)))

(defun planact--tell-end (server name arguments result)
  "Say how the command NAME of SERVER ended, where the plan alone doesn't."
  (let ((ending (cdr (assoc (planact--get result :status) planact--endings))) (step (planact--get arguments :step)) (goal (planact--get result :goal)))
    (cond
     ((equal name "approvePlan") (message "%s is approved as it is now" (planact--get result :path)))
     ((and (member name '("generatePlan" "revisePlan")) (planact--said (planact--get result :path)))
      (message "%s is ready" (planact--get result :path)))
     ((equal name "rollBack") (let ((count (length (planact--get result :files))))
                                (message (if (= count 1) "Rolled back: 1 file is as before" "Rolled back: %d files are as before") count)))
     ((not (and ending (stringp goal))) nil)
     ((and step (equal ending "is carried out")) (planact--tell-run server result (format "Step %d of “%s” is done" step goal)))
     (t (planact--tell-run server result
                           (format "“%s” %s%s" (or (planact--said goal) "The work") ending
                                   (if (planact--said (planact--get result :reason)) (concat ": " (planact--get result :reason)) "")))))))

(defun planact--visitor ()
  "Gives what visits the plan that a command made, but takes nobody away who works elsewhere meanwhile."
  (let ((from (window-buffer)))
    (lambda (made)
      (when-let ((uri (planact--said (planact--get made :uri))) (buffer (find-file-noselect (planact--path uri))))
        (if (and (eq from (window-buffer)) (not (active-minibuffer-window)))
            (run-with-timer 0 nil #'switch-to-buffer buffer)
          (display-buffer buffer))))))

(defun planact-plans ()
  "Visit a plan of the project."
  (interactive)
  (let ((plans (planact--list (planact--server) "listPlans" :plans)))
    (find-file (planact--path (cadr (planact--pick "Which plan" (mapcar (lambda (plan) (list (planact--get plan :goal) (planact--get plan :uri) (planact--get plan :status))) plans)))))))

(defun planact--do (words names &optional more)
  "Run the first of the commands NAMES that is offered at point, with MORE arguments; WORDS say what for."
  (unless (derived-mode-p 'planact-mode) (planact-plans))
  (planact--check-here (planact--server))
  (let* ((server (planact--server))
         (line (list :line (1- (line-number-at-pos nil t)) :character 0))
         (actions (planact-ask server "textDocument/codeAction"
                               (list :textDocument (planact-document server) :range (list :start line :end line)
                                     :context (list :diagnostics [] :only ["source.planact"]))))
         (command (seq-some (lambda (name)
                              (seq-some (lambda (action)
                                          (let ((command (planact--get action :command)))
                                            (and (equal (planact--get command :command) (concat "planact." name)) command)))
                                        actions))
                            names)))
    (unless command
      (user-error "Nothing to %s here; what can be done: %s" words
                  (or (planact--said (mapconcat (lambda (action) (planact--get action :title)) actions ", ")) "nothing now")))
    (let ((arguments (elt (planact--get command :arguments) 0)))
      (when more
        (if (hash-table-p arguments) (puthash (substring (symbol-name (car more)) 1) (cadr more) arguments)
          (setq arguments (append more arguments))))
      (planact-run-command server (planact--get command :command) (vector arguments)))))

(defun planact-generate () "Make a plan of the request in this buffer." (interactive) (planact--do "generate" '("generatePlan")))
(defun planact-approve () "Approve this plan as it is now." (interactive) (planact--do "approve" '("approvePlan")))
(defun planact-execute () "Execute this plan, or go on." (interactive) (planact--do "execute" '("executePlan" "resumeExecution")))
(defun planact-run-step () "Run the step at point." (interactive) (planact--do "run" '("executeStep")))
(defun planact-skip-step () "Skip the step at point." (interactive) (planact--do "skip" '("skipStep")))
(defun planact-retry-step () "Run the failed step at point again." (interactive) (planact--do "retry" '("retryStep")))
(defun planact-show-failure () "Show what failed in the step at point." (interactive) (planact--do "show" '("showFailure")))
(defun planact-roll-back () "Take back what the step at point, or the plan, did." (interactive) (planact--do "roll back" '("rollBack")))

(defun planact-revise (wish)
  "Have this plan revised by its comments, and by WISH if you write one."
  (interactive "sWhat should be different (empty = what the comments say)? ")
  (planact--do "revise" '("revisePlan") (and (planact--said wish) (list :feedback wish))))

(defun planact-new (request)
  "Have a plan made of REQUEST."
  (interactive "sWhat do you want done? ")
  (planact--call (planact--server) "generatePlan" (list :request request) (planact--visitor)))

(defun planact-say (text)
  "Say TEXT to the agent; the conversation is in *planact*.  Words such as /cost do what they do in every chat."
  (interactive "sSay: ")
  (display-buffer (planact-chat--buffer))
  (planact--call (planact--server) "sendMessage" (list :text text)
                 (lambda (ended)
                   (let ((told (if (string-prefix-p "/" text) (planact--get ended :text) (planact--get ended :reason))))
                     (when (planact--said told) (message "%s" told))))))

(defun planact-save-files ()
  "Save the open files that the last run changed."
  (interactive)
  (planact--call (planact--server) "saveFiles" nil
                 (lambda (done)
                   (let ((saved (planact--said (planact--names (planact--get done :saved))))
                         (unsaved (planact--said (planact--names (planact--get done :unsaved)))))
                     (message "%s" (or (planact--said (string-join (delq nil (list (and saved (concat "Saved: " saved)) (and unsaved (concat "Not saved: " unsaved)))) "; "))
                                       "All files of the run are saved"))))))

(defun planact-stop ()
  "Stop what planact is working on."
  (interactive)
  (planact--call (planact--server) "stop" nil
                 (lambda (result) (unless (planact--true (planact--get result :stopped)) (message "Nothing is running")))))

(defun planact-switch-mode (mode)
  "Switch to MODE, \"plan\" or \"act\"."
  (interactive (list (cadr (planact--pick "Which mode" '(("Plan" "plan" "explores and writes plans; nothing else can change")
                                                        ("Act" "act" "carries out what you approved, and asks when it must"))))))
  (planact--call (planact--server) "setMode" (list :mode mode)))

(defun planact-set-model ()
  "Choose the model that speaks from now on."
  (interactive)
  (let* ((server (planact--server)) (models (planact--list server "listModels" :models)))
    (planact--call server "setModel" (list :model (car (planact--pick "Which model" (mapcar (lambda (model) (list (planact--get model :name))) models)))))))

(defun planact-set-role ()
  "Choose who works in the current mode."
  (interactive)
  (let* ((server (planact--server)) (roles (planact--list server "listRoles" :roles))
         (choices (mapcar (lambda (role) (list (planact--get role :name) nil (planact--get role :description))) roles)))
    (planact--call server "setRole" (list :role (car (planact--pick "Which role" choices))))))

(defun planact-use-template ()
  "Have a plan made of a template; what it needs to know is asked."
  (interactive)
  (let* ((server (planact--server)) (templates (planact--list server "listTemplates" :templates))
         (choices (mapcar (lambda (template) (list (planact--get template :name) nil (planact--get template :goal))) templates)))
    (planact--call server "useTemplate" (list :name (car (planact--pick "Which template" choices)))
                   (planact--visitor))))

(defun planact-restart ()
  "Start planact anew."
  (interactive)
  (planact-restart-server (planact--server)))

(provide 'planact)
;;; planact.el ends here
