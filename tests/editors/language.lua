-- Neovim: what a language server gives the author of a plan, by Neovim's own commands. All texts are in words.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('words.json').language
local workspace = vim.env.WORKSPACE
local LIMIT_MS = 10000

editor.enable_planact()

-- Puts the cursor on the first place of a text.
local function point_at(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. text, 'cW') > 0, text .. ' is not in the buffer')
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return editor.text(vim.api.nvim_win_get_buf(window)) end
  end
end

editor.scenario(function()
  local source = editor.open(workspace .. '/store.py')
  local plan = editor.open(workspace .. '/language.plan')

  editor.wait('the fault is shown', function()
    return vim.iter(vim.diagnostic.get(plan)):any(function(found) return found.code == words.fault.code end)
  end)
  point_at(words.fault.text)
  editor.wait('the server has registered what it does in plans', function()
    return #vim.lsp.get_clients({ bufnr = plan, method = 'textDocument/hover' }) > 0
  end)
  vim.lsp.buf.hover()
  editor.wait('the fault is explained', function() return (floating_text() or ''):find(words.fault.code, 1, true) end)
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title == words.fault.fix end })
  editor.wait_for_text(plan, vim.pesc(words.fault.mended))

  point_at(words.completion.before)
  vim.fn.cursor(0, vim.fn.col('$'))
  local params = vim.lsp.util.make_position_params(0, vim.lsp.get_clients({ bufnr = plan })[1].offset_encoding)
  local answer = vim.lsp.buf_request_sync(plan, 'textDocument/completion', params, LIMIT_MS)
  local labels = vim.tbl_map(function(item) return item.label end, select(2, next(answer)).result.items)
  assert(vim.tbl_contains(labels, words.completion.label), vim.inspect(labels))

  vim.lsp.buf.format({ bufnr = plan, timeout_ms = LIMIT_MS })
  editor.wait_for_text(plan, vim.pesc(words.formatted))
  assert(#vim.lsp.get_clients({ bufnr = source, method = 'textDocument/formatting' }) == 0, 'no formatter for Python')

  point_at(words.link)
  vim.lsp.buf.definition()
  editor.wait('the file is shown', function() return vim.api.nvim_get_current_buf() == source end)
end)
