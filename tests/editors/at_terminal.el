;;; -*- lexical-binding: t; -*-
;; Emacs at a terminal, set up as the README says.  Who types here may be kept from it for a while by a busy machine.
(require 'package)
(package-initialize)
(add-to-list 'load-path (expand-file-name "../../server/editors/emacs" (file-name-directory load-file-name)))
(require 'planact-eglot)
(setq planact-idle-seconds 5
      jsonrpc-default-request-timeout 180
      native-comp-deferred-compilation nil)
