-- The conversation in a buffer, with a line to type at its end. What is typed stays while answers stream in above it.
local server = require('planact.server')
local M = {}
local PROMPT = '› '
local buffer, session_id, streamed

local function is_open() return buffer ~= nil and vim.api.nvim_buf_is_valid(buffer) end

--- Puts lines above the prompt, in place of those from `first` on if that is given; gives where they begin.
local function put(lines, first)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  first = first or last
  local windows = vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] >= last
  end, vim.fn.win_findbuf(buffer))
  vim.api.nvim_buf_set_lines(buffer, first, last, false, lines)
  vim.bo[buffer].modified = false
  for _, window in ipairs(windows) do -- who reads further up goes on reading
    local column = vim.api.nvim_win_get_cursor(window)[2]
    vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(buffer), column })
  end
  return first
end

local function subject(arguments)
  local ok, found = pcall(vim.json.decode, arguments)
  found = ok and type(found) == 'table' and found or {}
  return found.path or found.command or found.pattern or found.query or found.task or ''
end

local DID = {
  read_file = 'read',
  list_directory = 'listed',
  find_files = 'searched',
  search_code = 'searched',
  search_symbol = 'looked up',
  find_definition = 'looked up',
  find_references = 'looked up',
  get_diagnostics = 'read the problems',
  create_file = 'created',
  update_file = 'changed',
  rename_file = 'renamed',
  delete_file = 'deleted',
  execute_command = 'ran',
  start_command = 'started',
  write_plan = 'wrote the plan',
}
local UNSHOWN = { ask_user = true, exit_plan_mode = true } -- their question is shown
local calls = {} -- by id, what was said of those without a result yet

--- A message as lines: what was said, one line for each call, and why one came to nothing.
local function lines_of(message)
  local lines = {}
  local function add(text, mark)
    for i, line in ipairs(vim.split(vim.trim(text), '\n')) do
      table.insert(lines, (i == 1 and mark or (' '):rep(vim.fn.strdisplaywidth(mark))) .. line)
    end
  end
  local text, kind = message.content or '', message.role
  if kind == 'user' then
    add((message.metadata or {}).typed or text, PROMPT)
  elseif kind == 'assistant' then
    if vim.trim(text) ~= '' then add(text, '') end
    for _, call in ipairs(message.tool_calls or {}) do
      calls[call.id] = not UNSHOWN[call.name] and ((DID[call.name] or call.name) .. ' ' .. tostring(subject(call.arguments))):gsub('%s*\n.*', ' …') or nil
    end
  elseif kind == 'tool' then
    local ok, result = pcall(vim.json.decode, text)
    local problem = ok and type(result) == 'table' and type(result.error) == 'table' and result.error.message
    local did = calls[message.tool_call_id]
    calls[message.tool_call_id] = nil
    if did then add(vim.trim(did) .. (problem and ': ' .. problem or ''), problem and '  ⊘ ' or '  ') end
  elseif not (message.metadata or {}).begins_context then
    local number, action = text:match('^Carry out step (%d+) of %d+: (.-)%.')
    if number then add(('### %s %s'):format(number, action), '') else add(text, '  ') end
  end
  if #lines > 0 then table.insert(lines, '') end
  return lines
end

local RUNNING = vim.api.nvim_create_namespace('planact_running')

--- Shows the calls that run, above the prompt.
function M.working(works)
  if not is_open() then return end
  vim.api.nvim_buf_clear_namespace(buffer, RUNNING, 0, -1)
  local lines = {}
  for _, work in ipairs(works) do
    for _, call in ipairs(work.session_id == session_id and work.calls or {}) do
      table.insert(lines, { { '  ◌ ' .. call.text, 'Comment' } })
    end
  end
  if #lines == 0 then return end
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  vim.api.nvim_buf_set_extmark(buffer, RUNNING, last, 0, { virt_lines = lines, virt_lines_above = true })
end

--- For 'foldexpr': each step is a fold, and so are the calls between two answers.
function M.fold(number)
  local line = vim.fn.getline(number)
  if line:find('^### ') then return '>1' end
  if line:find('^  [^ ]') then return vim.fn.getline(number - 2):find('^  ') and '2' or '>2' end
  return line == '' and '=' or 1
end

local function show_session(client, id)
  session_id, streamed = id, nil
  put({}, 0)
  if not id then return end
  server.request(client, 'planact/transcript', { session_id = id }, function(problem, page)
    if problem or not is_open() or session_id ~= id then return end
    local lines = page.has_earlier and { '…', '' } or {}
    for _, message in ipairs(page.messages) do vim.list_extend(lines, lines_of(message)) end
    put(lines, 0)
  end)
end

--- What the agent says, as it says it.
function M.delta(_, piece)
  if not is_open() or piece.session_id ~= session_id or piece.is_reasoning then return end
  if piece.begins_anew then -- the answer broke off, and comes again
    if streamed and streamed.id == piece.message_id then
      put({}, streamed.first)
      streamed = nil
    end
    return
  end
  if not streamed or streamed.id ~= piece.message_id then
    streamed = { id = piece.message_id, text = '', first = vim.api.nvim_buf_line_count(buffer) - 1 }
  end
  streamed.text = streamed.text .. piece.text
  put(vim.split(streamed.text, '\n'), streamed.first)
end

function M.message(_, message)
  if not is_open() or message.session_id ~= session_id then return end
  put(lines_of(message), streamed and streamed.id == message.id and streamed.first or nil)
  streamed = nil
end

--- Another session is in hand.
function M.session_changed(client, id)
  if is_open() and id ~= session_id then show_session(client, id) end
end

--- Says something; words such as /plan and /cost do what they do in every chat of planact.
function M.send(client, text, selection)
  server.call(client, 'sendMessage', { text = text, selection = selection }, function(ended)
    local told = ended.status == 'queued' and 'It is read at the next safe point.' or ended.reason
    if vim.startswith(text, '/') and ended.text ~= '' then told = ended.text end
    if told == '' or told == nil then return end
    if is_open() then put(lines_of({ role = 'system', content = told })) else server.tell(told) end
  end)
end

local function make(client)
  buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, 'planact://chat')
  vim.bo[buffer].buftype = 'prompt'
  vim.bo[buffer].bufhidden = 'hide'
  vim.bo[buffer].filetype = 'planact-chat'
  vim.fn.prompt_setprompt(buffer, PROMPT)
  vim.fn.prompt_setcallback(buffer, function(text)
    if is_open() then -- Neovim leaves the line as it was typed; the message brings it again
      local count = vim.api.nvim_buf_line_count(buffer)
      vim.api.nvim_buf_set_lines(buffer, count - 2, count - 1, false, {})
      vim.bo[buffer].modified = false
    end
    if vim.trim(text) ~= '' then server.with(function(current) M.send(current, text) end) end
  end)
  show_session(client, server.states[client.id].session_id)
end

--- Shows the conversation.
function M.open(client)
  if not is_open() then make(client) end
  local window = vim.fn.bufwinid(buffer)
  if window > 0 then return vim.api.nvim_set_current_win(window) end
  vim.cmd('botright vertical sbuffer ' .. buffer)
  vim.wo.wrap, vim.wo.linebreak, vim.wo.winbar = true, true, "%{%v:lua.require'planact'.statusline()%}"
  vim.wo.foldmethod, vim.wo.foldexpr, vim.wo.foldlevel = 'expr', "v:lua.require'planact.chat'.fold(v:lnum)", 99
  pcall(vim.treesitter.start, buffer, 'markdown')
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), #PROMPT })
  vim.cmd.startinsert({ bang = true })
end

return M
