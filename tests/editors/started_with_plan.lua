-- Neovim: started with a plan, with the line of init.lua that the README names. All texts are in words.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('words.json')

require('planact').setup()

editor.scenario(function()
  local plan = vim.api.nvim_get_current_buf()
  editor.wait('the lens is drawn', function() return editor.drawn_lenses(plan):find(words.lenses.generate, 1, true) end)
  assert(vim.bo[plan].filetype == 'plan', vim.bo[plan].filetype)
end)
