-- planact in Neovim 0.10 and later, without any plugin manager: see README.md beside `lua`.
local chat = require('planact.chat')
local commands = require('planact.commands')
local diagnostics = require('planact.diagnostics')
local questions = require('planact.questions')
local server = require('planact.server')
local symbols = require('planact.symbols')
local work = require('planact.work')
local M = {}
local LEVELS = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO, vim.log.levels.DEBUG }

--- For 'statusline' or 'winbar': the mode, how far the work is and what it waits for; empty without planact.
function M.status()
  local client = server.client()
  local state = client and server.states[client.id]
  if not state and not server.later then return server.has_ended and 'planact: not running' or '' end
  if server.later or not state.is_ready then return 'planact: starting' end
  return work.words(state)
end
M.statusline = M.status -- its name before

local function redraw() vim.cmd.redrawstatus({ bang = true }) end

--- Has lenses asked for again; Neovim does not redraw them by itself when a server says that they are others now.
local function refresh_lenses(buffer)
  if server.options.lenses and vim.bo[buffer].filetype == 'plan' then vim.lsp.codelens.refresh({ bufnr = buffer }) end
end

-- Writes changed files, so that a command sees them as the editor shows them.
local function save(uris)
  local saved = {}
  for _, uri in ipairs(uris) do
    local buffer = vim.uri_to_bufnr(uri)
    if vim.api.nvim_buf_is_loaded(buffer) then
      vim.api.nvim_buf_call(buffer, function() vim.cmd('silent noautocmd update') end)
      table.insert(saved, uri)
    end
  end
  return { saved = saved }
end

--- Shows what commands of the agent wrote to files that are open and have no unsaved text.
local function show_written()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local is_file = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == '' and vim.api.nvim_buf_get_name(buffer) ~= ''
    if is_file and not vim.bo[buffer].modified then vim.cmd('silent! checktime ' .. buffer) end
  end
end

--- What the server tells, as handlers that know its client; those that answer give a result.
local HEARD = {
  ['planact/modeChanged'] = function(client, change)
    local state = server.states[client.id]
    state.mode, state.session_id = change.mode, change.session_id
    chat.session_changed(client, change.session_id)
  end,
  ['planact/workChanged'] = function(client, told)
    local was_running = server.states[client.id].is_running
    work.changed(client, told)
    chat.working(told.works)
    if was_running and not told.is_running then show_written() end
  end,
  ['planact/modelRetry'] = function(_, retry) work.retry(retry) end,
  ['planact/questionPending'] = questions.pending,
  ['planact/questionResolved'] = questions.resolved,
  ['planact/message'] = chat.message,
  ['planact/messageDelta'] = chat.delta,
  ['planact/diagnostics'] = function(_, asked) return diagnostics.tell(asked) end,
  ['planact/save'] = function(_, asked) return save(asked.uris) end,
  ['window/showMessage'] = function(_, message) server.tell(message.message, LEVELS[message.type]) end,
  ['workspace/applyEdit'] = function(_, asked, context) -- Neovim prints the label of each
    return vim.lsp.handlers['workspace/applyEdit'](nil, { edit = asked.edit }, context)
  end,
  ['workspace/codeLens/refresh'] = function(client)
    for buffer in pairs(client.attached_buffers) do refresh_lenses(buffer) end
    return vim.NIL
  end,
}
for method, answer in pairs(symbols.answers) do HEARD[method] = function(_, asked) return answer(asked) end end
for method, heard in pairs(HEARD) do
  server.handlers[method] = function(_, params, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if not client or not server.states[client.id] then return vim.NIL end
    local answer = heard(client, params, context)
    redraw()
    return answer
  end
end

--- Takes what lenses and code actions run upon itself, and learns what was before: the mode, and the questions that wait.
function server.on_ready(client)
  for _, name in ipairs(client.server_capabilities.executeCommandProvider.commands) do client.commands[name] = commands.clicked end
  client.commands[''] = function() end -- a lens that only tells something
  local state = server.states[client.id]
  server.call(client, 'showStatus', {}, function(status)
    if not state.session_id then -- else it was told meanwhile, and the status may be from before
      state.mode, state.session_id = status.mode, (status.session or {}).id
    end
    if not state.work then work.changed(client, status) end -- else it was told meanwhile
    work.offer(client, state.work)
    redraw()
  end)
  server.call(client, 'listQuestions', {}, function(open)
    for _, set in ipairs(open.questions) do questions.pending(client, set) end
    redraw()
  end)
end

--- `options`: cmd, settings (named as in the README), lenses (false = commands and code actions alone).
function M.setup(options)
  server.options = vim.tbl_extend('force', server.options, options or {})
  vim.filetype.add({ extension = { plan = 'plan' } })
  vim.treesitter.language.register('markdown', 'plan')
  vim.api.nvim_set_hl(0, 'PlanactPlan', { link = 'DiagnosticInfo', default = true })
  vim.api.nvim_set_hl(0, 'PlanactAct', { link = 'DiagnosticOk', default = true })
  local group = vim.api.nvim_create_augroup('planact', {})
  local function on(events, pattern, callback)
    vim.api.nvim_create_autocmd(events, { group = group, pattern = pattern, callback = callback })
  end
  on('FileType', '*', function(event) if vim.bo[event.buf].buftype == '' then server.attach(event.buf) end end)
  on('FileType', 'plan', function(event) if not pcall(vim.treesitter.start, event.buf) then vim.bo[event.buf].syntax = 'markdown' end end)
  on({ 'BufEnter', 'InsertLeave', 'TextChanged', 'LspAttach' }, '*.plan', function(event) refresh_lenses(event.buf) end)
  on({ 'BufEnter', 'TextChanged', 'InsertLeave' }, '*.plan', function(event) work.sign_comments(event.buf) end)
  on(vim.fn.has('nvim-0.11') == 1 and 'LspNotify' or 'LspAttach', '*.plan', function(event)
    local method = event.data.method or 'textDocument/didOpen'
    if method == 'textDocument/didOpen' then work.show_goal(event.buf) end
  end)
  on('LspAttach', '*.plan', function(event) vim.lsp.inlay_hint.enable(true, { bufnr = event.buf }) end) -- what came of each step
  diagnostics.watch(on)
  vim.api.nvim_create_user_command('Planact', commands.run, {
    nargs = '*',
    range = true,
    desc = 'planact: what can be done here, or :Planact WORD',
    complete = function(start, line)
      local words = line:find('Planact%s+mode%s') and { 'plan', 'act' } or commands.words()
      return vim.tbl_filter(function(word) return vim.startswith(word, start) end, words)
    end,
  })
  server.attach_all() -- what was there before
end

return M
