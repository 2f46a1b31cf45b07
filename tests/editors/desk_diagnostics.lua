-- Neovim: the model reads what a linter and another language server report, and nothing of planact's own. Texts: desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('desk.json')
local given = words.diagnostics
local workspace = vim.env.WORKSPACE

editor.enable_planact('desk.yaml')

--- A language server within Neovim, which reports one fault in each file.
local function other_server(dispatchers)
  local function tell(params)
    local range = { start = { line = 1, character = 0 }, ['end'] = { line = 1, character = 4 } }
    local fault = { range = range, severity = 1, message = given.error, source = 'other' }
    dispatchers.notification('textDocument/publishDiagnostics', { uri = params.textDocument.uri, diagnostics = { fault } })
  end
  local function leave() dispatchers.on_exit(0, 0) end
  local heard = { ['textDocument/didOpen'] = tell, exit = leave }
  return {
    request = function(method, _, callback)
      callback(nil, method == 'initialize' and { capabilities = { textDocumentSync = { openClose = true } } } or vim.NIL)
      return true, 1
    end,
    notify = function(method, params) return (heard[method] or function() end)(params) end,
    is_closing = function() return false end,
    terminate = leave,
  }
end

editor.scenario(function()
  vim.fn.writefile(vim.split(given.text, '\n', { trimempty = true }), workspace .. '/notes.txt')
  vim.fn.writefile({ '# A goal', '## Steps', '- [ ] 1. Look', '  - tools: reed_file' }, workspace .. '/faulty.plan')
  local plan = editor.open(workspace .. '/faulty.plan')
  editor.wait("planact's own are shown", function() return #vim.diagnostic.get(plan) > 0 end)
  local notes = editor.open(workspace .. '/notes.txt')
  vim.lsp.start({ name = 'other', cmd = other_server, root_dir = workspace }, { bufnr = notes })
  editor.wait('the other server reports', function() return #vim.diagnostic.get(notes) > 0 end)
  local app = editor.open(workspace .. '/app.py')
  local fault = { lnum = 7, col = 0, severity = vim.diagnostic.severity.WARN, message = given.warning, source = given.source }
  vim.diagnostic.set(vim.api.nvim_create_namespace('linter'), app, { fault })
  vim.cmd('Planact chat')
  local chat = vim.api.nvim_get_current_buf()
  editor.wait('the chat is there', function() return vim.bo[chat].buftype == 'prompt' end)
  vim.cmd('Planact chat ' .. given.message)
  local errors = ('notes.txt:2: error: %s (other)'):format(given.error)
  local warnings = ('app.py:8: warning: %s (%s)'):format(given.warning, given.source)
  editor.wait_for_text(chat, vim.pesc(('I read: %s\n%s; that is all.'):format(errors, warnings)))
  editor.wait_for_rest()
end)
