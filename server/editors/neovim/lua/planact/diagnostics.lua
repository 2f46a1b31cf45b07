-- Tells planact what language servers and linters say of files, by the text that they said it of.
local server = require('planact.server')
local M = {}
local SEVERITIES = { 'error', 'warning', 'information', 'hint' }
local PUBLISH, PULL = 'textDocument/publishDiagnostics', 'textDocument/diagnostic'
local SENT = { ['textDocument/didOpen'] = true, ['textDocument/didChange'] = true }
local QUIET_MS = 150 -- a server that names no versions may speak of one text several times
local sent, said = {}, {} -- by client and buffer: { version, at }
local shown = {} -- the text for which diagnostics of any origin were last set, by buffer

local function put(into, client_id, buffer, version)
  into[client_id] = into[client_id] or {}
  into[client_id][buffer] = { version = version, at = vim.uv.now() }
end

local function version_of(buffer) return vim.lsp.util.buf_versions[buffer] or 0 end

local function is_pulled(client)
  if vim.fn.has('nvim-0.11') == 1 then return client:supports_method(PULL) end
  return client.supports_method(PULL)
end

local function told(each)
  return { line = each.lnum, severity = SEVERITIES[each.severity], message = each.message, source = each.source or '', code = tostring(each.code or '') }
end

local function shown_of(buffer)
  local others = vim.tbl_filter(function(each) return each.source ~= 'planact' end, vim.diagnostic.get(buffer))
  return vim.tbl_map(told, others)
end

--- Files below a folder, whose URI ends with a slash.
local function below(folder)
  local files = {}
  for _, each in ipairs(vim.diagnostic.get()) do
    local uri = vim.uri_from_bufnr(each.bufnr)
    if each.source ~= 'planact' and vim.startswith(uri, folder) then
      files[uri] = files[uri] or { uri = uri, state = 'known', diagnostics = {} }
      table.insert(files[uri].diagnostics, told(each))
    end
  end
  return vim.tbl_values(files)
end

--- The buffer of a file, with the text on disk where it has no other; hidden if it is only there to be looked at.
function M.open(uri)
  local path = vim.uri_to_fname(uri)
  if vim.fn.filereadable(path) == 0 then return end
  local buffer = vim.fn.bufadd(path)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    vim.b[buffer].planact_hidden = true
    vim.bo[buffer].swapfile = false
    vim.fn.bufload(buffer)
  elseif not vim.bo[buffer].modified then
    local tick = vim.api.nvim_buf_get_changedtick(buffer)
    vim.cmd('silent! checktime ' .. buffer)
    local is_new = vim.api.nvim_buf_get_changedtick(buffer) ~= tick
    for _, buffers in pairs(is_new and sent or {}) do buffers[buffer] = nil end -- servers are told under a version that there was
  end
  return buffer
end

--- What is open for one file: its buffer, and who looks at it.
local function begin(uri)
  local is_open, buffer = pcall(M.open, uri)
  local file = { uri = uri, buffer = is_open and buffer or nil, pulls = {}, pushers = {} }
  for _, client in ipairs(file.buffer and vim.lsp.get_clients({ bufnr = buffer }) or {}) do
    if client.name ~= 'planact' and is_pulled(client) then
      local pull = { items = {} }
      table.insert(file.pulls, pull)
      server.request(client, PULL, { textDocument = { uri = uri } }, function(_, report)
        pull.is_here = type(report) == 'table' and type(report.items) == 'table'
        if pull.is_here then pull.items = report.items end
      end, buffer)
    elseif client.name ~= 'planact' and said[client.id] then
      table.insert(file.pushers, client.id)
    end
  end
  return file
end

local function has_said(client_id, buffer)
  local last, word = (sent[client_id] or {})[buffer], said[client_id][buffer]
  if not last or not word or last.version ~= version_of(buffer) or word.at < last.at then return false end
  if word.version then return word.version >= last.version end
  return vim.uv.now() - word.at >= QUIET_MS
end

--- The state of a file, and whether that is the last word.
local function state_of(file)
  if not file.buffer then return 'unserved' end
  if #file.pulls + #file.pushers == 0 then -- a linter, at most
    local is_shown = #shown_of(file.buffer) > 0
    return is_shown and (shown[file.buffer] == vim.api.nvim_buf_get_changedtick(file.buffer) and 'known' or 'not_yet') or 'unserved'
  end
  for _, pull in ipairs(file.pulls) do if not pull.is_here then return 'not_yet' end end
  for _, id in ipairs(file.pushers) do if not has_said(id, file.buffer) then return 'not_yet' end end
  return 'known'
end

local function answer(file)
  local state = state_of(file)
  local found = state == 'known' and shown_of(file.buffer) or {}
  for _, pull in ipairs(state == 'known' and file.pulls or {}) do
    for _, item in ipairs(pull.items) do
      local each = {
        line = item.range.start.line, severity = SEVERITIES[item.severity or 1], message = item.message, source = item.source or '', code = tostring(item.code or ''),
      }
      if not vim.tbl_contains(found, function(other) return vim.deep_equal(other, each) end, { predicate = true }) then table.insert(found, each) end
    end
  end
  return { uri = file.uri, state = state, diagnostics = found }
end

--- Answers the server's request; Neovim runs it in a coroutine, so that others work while it waits.
function M.tell(asked)
  local files, folders, limit = {}, {}, vim.uv.now() + asked.wait_ms
  for _, uri in ipairs(asked.uris) do
    if vim.endswith(uri, '/') then vim.list_extend(folders, below(uri)) else table.insert(files, begin(uri)) end
  end
  local function is_told() return vim.iter(files):all(function(file) return state_of(file) ~= 'not_yet' end) end
  server.wait(is_told, limit)
  return { files = vim.list_extend(vim.tbl_map(answer, files), folders) }
end

--- Hears what is told to servers, and what they say.
function M.watch(on)
  local publish = vim.lsp.handlers[PUBLISH]
  vim.lsp.handlers[PUBLISH] = function(problem, params, context, ...)
    local result = publish(problem, params, context, ...)
    if params and params.uri then put(said, context.client_id, vim.uri_to_bufnr(params.uri), params.version) end
    return result
  end
  on('LspNotify', '*', function(event)
    if SENT[event.data.method] then
      local document = event.data.params.textDocument
      put(sent, event.data.client_id, vim.uri_to_bufnr(document.uri), document.version)
    end
  end)
  on('DiagnosticChanged', '*', function(event) shown[event.buf] = vim.api.nvim_buf_get_changedtick(event.buf) end)
  on('BufWinEnter', '*', function(event)
    if not vim.b[event.buf].planact_hidden or vim.fn.win_gettype() == 'autocmd' then return end -- which it is loaded in
    vim.b[event.buf].planact_hidden = nil
    server.attach(event.buf)
  end)
end

return M
