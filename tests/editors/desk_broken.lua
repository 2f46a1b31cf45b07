-- Neovim: the model's edits tell what a language server found in them, in an open file and in one that is opened for that
-- alone; the open one is saved by a command. Texts: desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local given = editor.texts('desk.json').broken
local workspace = vim.env.WORKSPACE
local LATE_MS = 30

editor.enable_planact('desk.yaml', { settings = { model = 'scripted:' .. here .. '/desk.yaml', approval = 'acceptEdits' } })

--- A language server within Neovim, which speaks late of each text, and of the one before it once more.
local function slow_server(dispatchers)
  local texts = {}
  local function faults(text)
    local found = {}
    for number, line in ipairs(vim.split(text, '\n')) do
      if line:find(given.fault, 1, true) then
        local range = { start = { line = number - 1, character = 0 }, ['end'] = { line = number - 1, character = 1 } }
        table.insert(found, { range = range, severity = 1, message = given.error .. ': ' .. line, source = 'slow', code = 7 })
      end
    end
    return found
  end
  local function publish(uri, version, text)
    dispatchers.notification('textDocument/publishDiagnostics', { uri = uri, version = version, diagnostics = faults(text) })
  end
  local function look(uri, version, text)
    local before = texts[uri]
    texts[uri] = { version = version, text = text }
    if before then publish(uri, before.version, before.text) end
    vim.defer_fn(function() publish(uri, version, text) end, LATE_MS)
  end
  local heard = {
    ['textDocument/didOpen'] = function(params) look(params.textDocument.uri, params.textDocument.version, params.textDocument.text) end,
    ['textDocument/didChange'] = function(params) look(params.textDocument.uri, params.textDocument.version, params.contentChanges[1].text) end,
    ['textDocument/didClose'] = function(params) texts[params.textDocument.uri] = nil end,
    exit = function() dispatchers.on_exit(0, 0) end,
  }
  return {
    request = function(method, _, callback)
      callback(nil, method == 'initialize' and { capabilities = { textDocumentSync = { openClose = true, change = 1 } } } or vim.NIL)
      return true, 1
    end,
    notify = function(method, params)
      if heard[method] then heard[method](params) end
      return true
    end,
    is_closing = function() return false end,
    terminate = heard.exit,
  }
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'text',
  callback = function(event) vim.lsp.start({ name = 'slow', cmd = slow_server, root_dir = workspace }, { bufnr = event.buf }) end,
})

editor.scenario(function()
  for _, name in ipairs(given.files) do vim.fn.writefile(vim.split(given.text, '\n', { trimempty = true }), workspace .. '/' .. name) end
  local near = editor.open(workspace .. '/' .. given.files[1])
  editor.wait('the server reports', function() return #vim.diagnostic.get(near) > 0 end)
  editor.wait('planact is there', function() return #vim.lsp.get_clients({ bufnr = near }) == 2 end)
  vim.cmd('Planact mode act')
  editor.wait('it is Act', function() return require('planact').statusline():find('Act', 1, true) end)
  vim.cmd('Planact chat')
  local chat = vim.api.nvim_get_current_buf()
  editor.wait('the chat is there', function() return vim.bo[chat].buftype == 'prompt' end)
  vim.cmd('Planact chat ' .. given.message)
  editor.wait_for_text(chat, vim.pesc(given.near))
  editor.wait_for_text(chat, vim.pesc(given.far))
  local far = vim.fn.bufnr(workspace .. '/' .. given.files[2])
  local state = { vim.bo[far].modified, vim.bo[far].buflisted, vim.b[far].planact_hidden or false }
  assert(vim.deep_equal(state, { false, false, true }), vim.inspect(state)) -- it was edited on disk
  assert(#vim.lsp.get_clients({ bufnr = far, name = 'planact' }) == 0, 'planact knows nothing of it')
  editor.open(workspace .. '/' .. given.files[2])
  editor.wait('planact knows it', function() return #vim.lsp.get_clients({ bufnr = far, name = 'planact' }) == 1 end)

  editor.wait_for_rest()
  assert(vim.bo[near].modified, 'it is saved already')
  local told = {}
  local notify = vim.notify
  vim.notify = function(text, level, opts)
    table.insert(told, text)
    notify(text, level, opts)
  end
  for _, text in ipairs({ given.saved, given.nothing }) do
    vim.cmd('Planact save')
    editor.wait('it tells ' .. text, function() return vim.iter(told):find(function(each) return each:find(text, 1, true) end) end)
  end
  assert(not vim.bo[near].modified, 'it is not saved')
end)
