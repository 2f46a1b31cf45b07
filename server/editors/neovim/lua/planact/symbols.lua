-- What language servers know of names and how they would change them, told to planact. Nothing is changed here, and no
-- command of theirs is run.
local diagnostics = require('planact.diagnostics')
local server = require('planact.server')
local M = {}
local REFERENCES, DEFINITION, RENAME = 'textDocument/references', 'textDocument/definition', 'textDocument/rename'
local ACTIONS, RESOLVE = 'textDocument/codeAction', 'codeAction/resolve'
local LIMIT_MS = 10000 -- for all that one request of planact's asks
local DIAGNOSTICS_MS = 1500
local MOST_ACTIONS = 50

--- The language servers of a buffer that answer a method, but planact.
local function servers(buffer, method)
  return vim.tbl_filter(function(client) return client.name ~= 'planact' end, vim.lsp.get_clients({ bufnr = buffer, method = method }))
end

--- Asks a language server: its result, or its problem; neither once the time is over.
local function ask(client, method, params, buffer, limit)
  local answer
  local is_sent, id = server.request(client, method, params, function(problem, result) answer = { problem = problem, result = result } end, buffer)
  if is_sent then server.wait(function() return answer end, limit) end
  if is_sent and not answer then server.cancel(client, id) end
  answer = answer or {}
  return type(answer.result) == 'table' and answer.result or nil, answer.problem
end

local function units(text, encoding)
  if encoding == 'utf-8' then return #text end
  if vim.fn.has('nvim-0.11') == 1 then return vim.str_utfindex(text, encoding) end
  local utf32, utf16 = vim.str_utfindex(text)
  return encoding == 'utf-32' and utf32 or utf16
end

local function is_of_word(character) return character:match('^[%w_]') ~= nil or (#character > 1 and not vim.tbl_contains({ 0, 1, 3 }, vim.fn.charclass(character))) end

--- The bytes before a name in a line, where it is no part of a longer one.
local function bytes_before(text, name, occurrence)
  local from = 1
  while true do
    local first, last = text:find(name, from, true)
    if not first then return end
    local before = vim.fn.strcharpart(text:sub(1, first - 1), vim.fn.strchars(text:sub(1, first - 1)) - 1, 1)
    if is_of_word(before) or is_of_word(vim.fn.strcharpart(text:sub(last + 1), 0, 1)) then
      from = first + 1
    elseif occurrence == 0 then
      return first - 1
    else
      occurrence, from = occurrence - 1, last + 1
    end
  end
end

--- The buffer with the name, and `at(client)`, the position that its server knows it by; nil if it isn't there.
local function place_of(asked)
  local is_open, buffer = pcall(diagnostics.open, asked.uri)
  local text = is_open and buffer and vim.api.nvim_buf_get_lines(buffer, asked.line, asked.line + 1, false)[1]
  local bytes = text and bytes_before(text, asked.name, asked.occurrence)
  if not bytes then return end
  local function at(client)
    local position = { line = asked.line, character = units(text:sub(1, bytes), client.offset_encoding) }
    return { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = position }
  end
  return { buffer = buffer, at = at }
end

local function tell_places(method, asked)
  local place, found, limit = place_of(asked), {}, vim.uv.now() + LIMIT_MS
  for _, client in ipairs(place and servers(place.buffer, method) or {}) do
    local params = place.at(client)
    if method == REFERENCES then params.context = { includeDeclaration = true } end
    local result = ask(client, method, params, place.buffer, limit) or {}
    for _, each in ipairs(vim.islist(result) and result or { result }) do
      local range = each.targetSelectionRange or each.targetRange or each.range
      table.insert(found, { uri = each.targetUri or each.uri, line = range.start.line })
    end
  end
  return { references = found }
end

--- The text of each buffer that there is, by a number for it.
local function present_texts()
  local ticks = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then ticks[buffer] = vim.api.nvim_buf_get_changedtick(buffer) end
  end
  return ticks
end

--- A document under the URI and the version that planact knows, -1 = on disk. An error if its text isn't what the edits are about.
local function document_of(uri, version, texts)
  local path = vim.startswith(uri, 'file:') and vim.uri_to_fname(uri)
  local buffer = path and vim.fn.bufexists(path) == 1 and vim.fn.bufadd(path)
  if not buffer or not vim.api.nvim_buf_is_loaded(buffer) then return { uri = path and vim.uri_from_fname(path) or uri, version = -1 } end
  local is_old = version and version ~= vim.lsp.util.buf_versions[buffer]
  if is_old or texts[buffer] ~= vim.api.nvim_buf_get_changedtick(buffer) then error(path .. ' has changed meanwhile', 0) end
  if #vim.lsp.get_clients({ bufnr = buffer, name = 'planact' }) > 0 then
    return { uri = vim.uri_from_bufnr(buffer), version = vim.lsp.util.buf_versions[buffer] }
  end
  if vim.bo[buffer].modified then error(path .. ' has unsaved text that planact is not told of', 0) end
  return { uri = vim.uri_from_bufnr(buffer), version = -1 }
end

local function told_edit(edit)
  local first, last = edit.range.start, edit.range['end']
  return { start_line = first.line, start_character = first.character, end_line = last.line, end_character = last.character, new_text = edit.newText }
end

--- A `WorkspaceEdit` as planact reads it.
local function proposed(edit, client, texts)
  local is_fit, found = pcall(function()
    local documents = {}
    local function add(uri, version, edits)
      table.insert(documents, vim.tbl_extend('force', document_of(uri, version, texts), { edits = vim.tbl_map(told_edit, edits) }))
    end
    for _, each in ipairs(edit.documentChanges or {}) do
      if each.kind then error('it would create, rename or delete files', 0) end
      add(each.textDocument.uri, type(each.textDocument.version) == 'number' and each.textDocument.version or nil, each.edits)
    end
    for uri, edits in pairs(not edit.documentChanges and edit.changes or {}) do add(uri, nil, edits) end
    return documents
  end)
  return is_fit and { documents = found, encoding = client.offset_encoding } or { problem = tostring(found) }
end

local function tell_rename(asked)
  local place, limit, refusal = place_of(asked), vim.uv.now() + LIMIT_MS, {}
  for _, client in ipairs(place and servers(place.buffer, RENAME) or {}) do
    local texts = present_texts()
    local params = vim.tbl_extend('force', place.at(client), { newName = asked.new_name })
    local edit, problem = ask(client, RENAME, params, place.buffer, limit)
    if edit then return proposed(edit, client, texts) end
    if problem then refusal = { problem = problem.message } end
  end
  return vim.tbl_extend('keep', refusal, { documents = {} })
end

--- What a server itself said of a line, in its own words.
local function faults(client, buffer, line)
  local found = {}
  for _, is_pulled in ipairs({ false, true }) do
    local namespace = vim.lsp.diagnostic.get_namespace(client.id, is_pulled)
    for _, each in ipairs(vim.diagnostic.get(buffer, { lnum = line, namespace = namespace })) do table.insert(found, vim.tbl_get(each, 'user_data', 'lsp')) end
  end
  return found
end

--- The edits of a code action; nil if it is more, or something else. Its command is never run.
local function edits_of(action, client, buffer, texts, limit)
  local edit = action.edit
  if not edit and action.data then edit = (ask(client, RESOLVE, action, buffer, limit) or {}).edit end
  if action.disabled or not edit then return end
  local edits = proposed(edit, client, texts)
  return #(edits.documents or {}) > 0 and edits or nil
end

local function tell_actions(asked)
  diagnostics.tell({ uris = { asked.uri }, wait_ms = DIAGNOSTICS_MS })
  local is_open, buffer = pcall(diagnostics.open, asked.uri)
  local lines = is_open and buffer and vim.api.nvim_buf_get_lines(buffer, 0, -1, false) or {}
  local actions, limit = {}, vim.uv.now() + LIMIT_MS
  if not lines[asked.line + 1] then return { actions = actions } end
  for _, client in ipairs(servers(buffer, ACTIONS)) do
    local function range(first, last)
      return { start = { line = first, character = 0 }, ['end'] = { line = last, character = units(lines[last + 1], client.offset_encoding) } }
    end
    local wanted = {
      { range(asked.line, asked.line), { diagnostics = faults(client, buffer, asked.line), only = { 'quickfix' }, triggerKind = 1 } },
      { range(0, #lines - 1), { diagnostics = {}, only = { 'source.organizeImports' }, triggerKind = 1 } },
    }
    for _, each in ipairs(wanted) do
      local texts = present_texts()
      local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, range = each[1], context = each[2] }
      for _, action in ipairs(ask(client, ACTIONS, params, buffer, limit) or {}) do
        local edits = #actions < MOST_ACTIONS and edits_of(action, client, buffer, texts, limit)
        local told = edits and { title = action.title, edits = edits }
        local is_told = vim.iter(actions):any(function(other) return vim.deep_equal(other, told) end) -- a server that gives all at each request
        if told and not is_told then table.insert(actions, told) end
      end
    end
  end
  return { actions = actions }
end

--- The answers to planact's requests; Neovim runs them in coroutines, so that others work while they wait.
M.answers = {
  ['planact/references'] = function(asked) return tell_places(REFERENCES, asked) end,
  ['planact/definitions'] = function(asked) return tell_places(DEFINITION, asked) end,
  ['planact/renameEdits'] = tell_rename,
  ['planact/codeActions'] = tell_actions,
}

return M
