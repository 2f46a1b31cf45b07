;;; planact-work.el --- What goes on, was interrupted, or was changed  -*- lexical-binding: t; -*-

;; The server tells the work of a folder as a whole: words for the mode line, a wait for the model, a run to go on with.

(require 'planact-questions)
(require 'planact-server)

(defface planact-plan '((t :inherit font-lock-function-name-face)) "The mode Plan in the mode line.")
(defface planact-act '((t :inherit success)) "The mode Act in the mode line.")

(defun planact--work-words (state)
  "The work of STATE in a few words, such as \"Act 2/4 · answer\", with the mode in its face."
  (let* ((work (planact-state-work state))
         (text (or (planact--said (planact--get work :status_text)) (capitalize (planact-state-mode state)))))
    (replace-regexp-in-string "\\`\\(Plan\\|Act\\)"
                              (lambda (mode) (propertize mode 'face (if (equal mode "Act") 'planact-act 'planact-plan)))
                              text)))

(defun planact--check-here (server)
  "Signal why nothing can be done with the run of SERVER's folder, where it is another window's."
  (let ((work (planact-state-work (planact--state server))))
    (when (planact--true (planact--get work :elsewhere)) (user-error "%s" (planact--get work :text)))))

(defun planact--tell-retry (retry)
  "Show the RETRY of a request to the model in one line that takes the place of itself."
  (let ((message-log-max nil)) (message "%s" (or (planact--said (planact--get retry :short_text)) ""))))

(defun planact--offer (server)
  "Ask once, after the start, about a run of SERVER that was interrupted."
  (let* ((state (planact--state server)) (work (planact-state-work state)))
    (when (and (equal (planact--get work :state) "interrupted") (not (planact-state-is-offered state)))
      (setf (planact-state-is-offered state) t)
      (planact--soon
       (lambda ()
         (let* ((id (list :execution_id (planact--get work :execution_id)))
                (changes (and (> (planact--get work :files) 0) '(("Review changes" review) ("Roll back" back))))
                (rows (append '(("Continue" continue)) changes '(("Later" nil)))))
           (pcase (cadr (planact--pick (concat (planact--get work :title) ": " (planact--get work :text)) rows))
             ('continue (planact--call server "resumeExecution" id))
             ('review (planact--review server (planact--get work :execution_id)))
             ('back (planact--call server "rollBack" id)))))))))

(defun planact-review ()
  "Show what the last run changed; \\[diff-goto-source] goes to the place."
  (interactive)
  (let ((server (planact--server)))
    (planact--review server (or (planact--get (planact-state-work (planact--state server)) :execution_id) ""))))

(defun planact--review (server id)
  "Show what the run ID of SERVER changed, as one difference."
  (planact--call
   server "showExecution" (list :execution_id id)
   (lambda (run)
     (let ((steps (seq-uniq (seq-map (lambda (record) (planact--get record :step_number))
                                     (seq-filter (lambda (record) (not (seq-empty-p (planact--get record :files)))) (planact--get run :steps))))))
       (if (seq-empty-p steps) (message "The run changed no file")
         (planact--collect-diffs server (planact--get run :id) (append steps nil) nil))))))

(defun planact--collect-diffs (server id steps diffs)
  "Ask SERVER for the differences of STEPS of the run ID, and show them behind DIFFS."
  (if steps
      (planact--call server "diffStep" (list :execution_id id :step (car steps))
                     (lambda (difference) (planact--collect-diffs server id (cdr steps) (cons (planact--get difference :diff) diffs))))
    (let ((root default-directory))
      (with-current-buffer (get-buffer-create "*planact changes*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert (string-join (reverse diffs) "\n"))
          (goto-char (point-min)))
        (setq default-directory (or (locate-dominating-file root ".git") root))
        (diff-mode)
        (local-set-key (kbd "C-c C-c") #'diff-goto-source)
        (setq buffer-read-only t)
        (display-buffer (current-buffer))))))

(defun planact-comment (text)
  "Write TEXT as a comment to the planner below the line at point; the buffer stays unsaved."
  (interactive "sWhat should be different here? ")
  (let ((server (planact--server)))
    (planact--call server "commentPlan"
                   (list :uri (planact--get (planact-document server) :uri) :line (1- (line-number-at-pos nil t)) :text text))))

(defun planact-retry-now ()
  "Send the request that waits for a busy model again at once."
  (interactive)
  (planact--call (planact--server) "retryNow" nil
                 (lambda (result) (unless (planact--true (planact--get result :retried)) (message "Nothing waits for the model")))))

(defun planact-try-again ()
  "Go on with the work that ended with an error."
  (interactive)
  (planact--call (planact--server) "tryAgain" nil))

(defun planact-go-to-what-waits ()
  "Answer the question that waits, else offer what can be done at point."
  (interactive)
  (if (planact-state-questions (planact--state (planact--server))) (planact-answer) (call-interactively planact-code-actions)))

(defun planact--show-goal ()
  "Put point on the goal of a plan that has just been opened, at the top of its window."
  (when (and (= (point) (point-min)) (re-search-forward "^# " nil t))
    (beginning-of-line)
    (let ((window (get-buffer-window)))
      (when window
        (set-window-point window (point))
        (with-selected-window window (recenter 0))))))

(provide 'planact-work)
;;; planact-work.el ends here
