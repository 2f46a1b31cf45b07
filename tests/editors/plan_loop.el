;;; -*- lexical-binding: t; -*-
;; Emacs, which has no lenses: a plan is talked over and carried out in pieces by code actions.  All texts: loop.json.

(defvar here (file-name-directory load-file-name))
(defvar workspace (file-name-as-directory (getenv "WORKSPACE")))
(scenario-use-planact "loop.yaml")

(defvar words (scenario-texts (expand-file-name "loop.json" here)))
(defun words (&rest keys) (seq-reduce (lambda (table key) (gethash key table)) keys words))
(defun choose (action) (scenario-choose (words "actions" action)))
(defun mark (step mark) (concat (words "marks" mark) (nth (1- step) (words "steps"))))

(let ((source (find-file-noselect (concat workspace (words "source"))))
      (plan (concat workspace "loop.plan")))
  (scenario-open plan)
  (scenario-wait "planact is there" #'eglot-current-server)
  (unless (eq major-mode 'planact-mode) (error "The mode is %s" major-mode))

  (with-current-buffer source
    (goto-char (point-max))
    (insert (words "unsaved")))
  (setq scenario-answers (list (words "picker")))
  (choose "generate")
  (when (buffer-modified-p source) (error "Other files are saved first"))
  (dolist (text (words "planned")) (scenario-wait-for-text text))

  (scenario-point-at (words "comment" "below"))
  (forward-line)
  (scenario-type (concat (words "comment" "line") "\n"))
  (choose "revise")
  (scenario-wait-for-text (words "revised"))

  (choose "approve")
  (scenario-wait "it is approved" (lambda () (not (member (words "actions" "approve") (scenario-actions)))))
  (scenario-point-at (mark 1 "pending"))
  (choose "runStep")
  (scenario-wait-for-text (mark 1 "done"))
  (scenario-wait-for-text (mark 2 "pending"))
  (with-current-buffer source (scenario-wait-for-text (words "edit")))

  (scenario-point-at (mark 2 "pending"))
  (choose "skip")
  (scenario-wait-for-text (mark 2 "skipped"))
  (scenario-wait-for-text (mark 3 "pending"))
  (choose "execute")
  (scenario-wait-for-text (mark 3 "done"))
  (scenario-wait-for-text (words "status"))
  (scenario-wait-for-text (mark 2 "skipped"))
  (scenario-wait "its end is told" (lambda () (with-current-buffer "*Messages*" (string-search (words "ended") (buffer-string)))))
  (scenario-check-no-errors))
