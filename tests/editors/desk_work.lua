-- Neovim: a run that was interrupted is asked about once; its changes are reviewed, it goes on, and the plan gets a comment.
-- All texts are in desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('desk.json').work
local RUN_LIMIT_MS = 60000

editor.enable_planact(nil, { settings = { model = 'scripted:model.yaml' } })

local function status() return (vim.api.nvim_eval_statusline(require('planact').status(), {}).str) end

editor.scenario(function()
  local asked = {}
  vim.ui.select = function(items, opts, on_choice)
    table.insert(asked, { prompt = opts.prompt, rows = vim.tbl_map(opts.format_item or tostring, items) })
    on_choice(nil, nil)
  end
  local plan = editor.open(vim.env.WORKSPACE .. '/' .. words.plan)
  editor.wait('the interruption is asked about', function() return #asked == 1 end)
  assert(vim.startswith(asked[1].prompt, words.title), asked[1].prompt)
  assert(vim.deep_equal(asked[1].rows, words.rows), vim.inspect(asked[1].rows))
  assert(status() == words.interrupted, status())
  editor.wait('the cursor is on the goal', function() return vim.startswith(vim.fn.getline('.'), '# ') end)
  if vim.fn.has('nvim-0.11') == 1 then
    editor.wait('the front matter is folded', function() return vim.fn.foldclosed(2) == 1 end)
  end

  vim.cmd('Planact review')
  editor.wait('the changes are listed', function() return #vim.fn.getqflist() > 0 end)
  local listed = vim.fn.getqflist()[1]
  assert(vim.fs.basename(vim.api.nvim_buf_get_name(listed.bufnr)) == words.changed, vim.inspect(listed))
  vim.cmd('silent! only!')
  vim.api.nvim_set_current_buf(plan)

  vim.cmd('Planact resume')
  editor.wait('the run is done', function() return status() == words.done end, RUN_LIMIT_MS)
  editor.wait_for_text(plan, vim.pesc(words.step), RUN_LIMIT_MS)

  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. words.step, 'cW') > 0)
  local line = vim.fn.line('.')
  vim.cmd('Planact comment ' .. words.comment)
  editor.wait('the comment stands there', function() return vim.fn.getline(line + 1) == '  > ' .. words.comment end)
  assert(vim.bo[plan].modified, 'it is left unsaved')
  require('planact.work').sign_comments(plan)
  local signs = vim.api.nvim_buf_get_extmarks(plan, -1, { line, 0 }, { line, -1 }, { details = true })
  assert(vim.iter(signs):any(function(mark) return (mark[4].sign_text or ''):find('┃') end), vim.inspect(signs))
  assert(#asked == 1, 'it was asked once')
end)
