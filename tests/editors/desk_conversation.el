;;; -*- lexical-binding: t; -*-
;; Emacs: code in an answer is coloured as its language is, and calls between two answers fold behind the first by TAB.
;; All texts: desk.json.

(scenario-use-planact "chat.yaml")
(defvar words (scenario-texts (expand-file-name "desk.json" (file-name-directory load-file-name))))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))
(defun face-of (text)
  "The face at the end of TEXT, which must be there."
  (scenario-wait-for-text text)
  (goto-char (point-min))
  (search-forward text)
  (get-text-property (1- (point)) 'face))

(with-temp-file (concat (getenv "WORKSPACE") "/talk.plan") (insert "Not yet.\n"))
(scenario-open (concat (getenv "WORKSPACE") "/talk.plan"))
(scenario-wait "planact is there" (lambda () (string-search (words "statuses" "plan") (planact-mode-line))))

(planact-say (words "conversation" "code" "message"))
(with-current-buffer "*planact*"
  (scenario-wait-for-text (words "conversation" "code" "end"))
  (pcase-dolist (`(,text ,face) (words "conversation" "code" "faces"))
    (unless (eq (face-of text) (intern face)) (error "%s has the face %s" text (face-of text))))
  (when (face-of (words "conversation" "code" "plain")) (error "Words are coloured as code: %s" (face-of (words "conversation" "code" "plain")))))

(planact-say (words "conversation" "calls" "message"))
(with-current-buffer "*planact*"
  (scenario-wait-for-text (words "conversation" "calls" "end"))
  (let* ((lines (words "conversation" "calls" "lines"))
         (at (mapcar (lambda (line) (goto-char (point-min)) (search-forward line) (line-beginning-position)) lines)))
    (unless (apply #'< at) (error "They came in another order: %S" at))
    (dolist (place at) (when (invisible-p place) (error "It was folded before:\n%s" (buffer-string))))
    (goto-char (car at))
    (call-interactively (key-binding (kbd "TAB")))
    (when (invisible-p (car at)) (error "All of it is gone"))
    (dolist (place (cdr at)) (unless (invisible-p place) (error "It doesn't fold:\n%s" (buffer-string))))
    (scenario-point-at (words "conversation" "code" "plain"))
    (when (invisible-p (point)) (error "An answer is folded, too"))
    (goto-char (car at))
    (call-interactively (key-binding (kbd "TAB")))
    (dolist (place at) (when (invisible-p place) (error "It doesn't open:\n%s" (buffer-string))))))
