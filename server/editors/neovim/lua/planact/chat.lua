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
      add((call.name .. ' ' .. tostring(subject(call.arguments))):gsub('%s*\n.*', ' …'), '  ')
    end
  elseif kind == 'tool' then
    local ok, result = pcall(vim.json.decode, text)
    local problem = ok and type(result) == 'table' and type(result.error) == 'table' and result.error.message
    if problem then add(problem, '  ⊘ ') end
  elseif not (message.metadata or {}).begins_context then
    add(text, '  ')
  end
  if #lines > 0 then table.insert(lines, '') end
  return lines
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
  pcall(vim.treesitter.start, buffer, 'markdown')
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), #PROMPT })
  vim.cmd.startinsert({ bang = true })
end

return M
