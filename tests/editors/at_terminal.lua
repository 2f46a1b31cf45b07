-- Neovim at a terminal, set up as the README says.
vim.opt.runtimepath:append(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/../../server/editors/neovim')
require('planact').setup()
