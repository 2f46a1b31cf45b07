-- Neovim: a question that was left open is asked again by the server that comes next. All texts are in desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('desk.json')

editor.enable_planact('desk.yaml')

editor.scenario(function()
  local asked = {}
  vim.ui.select = function(_, opts, on_choice)
    table.insert(asked, opts.prompt)
    on_choice(nil, nil)
  end
  local function waits() return require('planact').statusline():find(words.statuses.waiting, 1, true) end
  editor.open(vim.env.WORKSPACE .. '/app.py')
  vim.cmd('Planact chat ' .. words.form.message)
  editor.wait('it is asked, and left open', function() return #asked == 1 and waits() end)
  vim.cmd('Planact restart')
  editor.wait('it is asked again', function() return #asked == 2 and waits() end)
  assert(asked[1] == asked[2] and asked[1]:find(words.form.first, 1, true), vim.inspect(asked))
  vim.cmd('Planact decline')
  editor.wait('nothing waits', function() return not waits() end)
end)
