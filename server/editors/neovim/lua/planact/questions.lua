-- Asks what planact asks, with `vim.ui.select` and `vim.ui.input`: options, or a form by its schema, field by field.
-- Who leaves a question leaves it open; the server alone says whether an answer is good.
local server = require('planact.server')
local M = {}
local asking = false -- one at a time
local unseen = {} -- those that came meanwhile
local ask_unseen

local function one_line(...)
  local parts = vim.tbl_filter(function(text) return text and text ~= '' end, { ... })
  return (table.concat(parts, ' · '):gsub('%s*\n%s*', ' '))
end

--- The title and the reason of a question where it has them, else all of it; without marks for code and for weight.
local function words_of(question)
  local function plain(text) return ((text or ''):gsub('`', ''):gsub('%*%*', '')) end
  if (question.title or '') == '' then return plain(question.question) end
  return plain(question.title), plain(question.reason)
end

local function types_text(schema)
  return schema.type == 'string' or schema.type == nil and not (schema.anyOf or schema.oneOf or schema.allOf)
end

--- A value as it is typed, and what a typed text stands for: what should be JSON and isn't is text.
local function typed(value)
  if value == nil or value == vim.NIL then return '' end
  return type(value) == 'string' and value or vim.json.encode(value)
end

local function parsed(text, schema)
  if types_text(schema) then return text end
  local ok, value = pcall(vim.json.decode, text)
  if ok then return value end
  return text
end

local function hint(schema)
  local said = {}
  if schema.minLength or schema.maxLength then
    table.insert(said, ('%s to %s characters'):format(schema.minLength or 0, schema.maxLength or '…'))
  end
  if schema.minimum or schema.maximum then
    table.insert(said, ('%s to %s'):format(schema.minimum or '…', schema.maximum or '…'))
  end
  if schema.pattern then table.insert(said, 'such as ' .. schema.pattern) end
  local is_plain = types_text(schema) or schema.type == 'integer' or schema.type == 'number'
  if not is_plain then table.insert(said, 'as JSON') end
  return #said > 0 and '(' .. table.concat(said, ', ') .. ')' or ''
end

local function choice(value, title, description)
  local label = type(title) == 'string' and title or type(value) == 'boolean' and (value and 'Yes' or 'No')
  return { label = label or value == vim.NIL and 'null' or typed(value), value = value, description = description }
end

--- The choices of a field whose schema lists values; those of whole questions are the server's options.
local function listed(schema)
  local choices = {}
  for _, each in ipairs(schema.oneOf or schema.anyOf or {}) do
    if type(each) ~= 'table' or each.const == nil then
      choices = {}
      break
    end
    table.insert(choices, choice(each.const, each.title, each.description))
  end
  if #choices > 0 then return choices end
  if schema.enum then return vim.tbl_map(choice, schema.enum) end
  if schema.type == 'boolean' then return { choice(true), choice(false) } end
end

local function choices_of(field)
  local schema = field.schema
  if #(field.options or {}) > 0 then return field.options end
  if schema.type ~= 'array' then return listed(schema) end
  return type(schema.items) == 'table' and listed(schema.items) or nil
end

local ask -- ask(field, done, left): one value; a field has title, schema, preset, is_optional and perhaps options

local function ask_text(field, done, left)
  local prompt = one_line(field.title, hint(field.schema), field.is_optional and '(may be empty)') .. ': '
  vim.ui.input({ prompt = prompt, default = typed(field.preset) }, function(text)
    if not text then return left() end
    if text == '' and field.is_optional then return done(nil) end
    done(parsed(text, field.schema))
  end)
end

local function ask_choice(field, choices, done, left)
  local items = {}
  for _, choice in ipairs(choices) do
    local is_preset = field.preset ~= nil and field.preset ~= vim.NIL and vim.deep_equal(choice.value, field.preset)
    local text = one_line(choice.label .. (is_preset and ' (default)' or ''), choice.description)
    table.insert(items, is_preset and 1 or #items + 1, { text = text, choose = function() done(choice.value) end })
  end
  if field.allow_custom then
    local free = vim.tbl_extend('force', field, { allow_custom = false, preset = vim.NIL })
    table.insert(items, { text = 'Other…', choose = function() ask_text(free, done, left) end })
  end
  if field.is_optional then table.insert(items, { text = 'Leave out', choose = function() done(nil) end }) end
  vim.ui.select(items, { prompt = field.title, kind = 'planact', format_item = function(item) return item.text end }, function(item)
    if item then item.choose() else left() end
  end)
end

local function ask_several(field, choices, done, left)
  local chosen = {}
  for i, choice in ipairs(choices) do
    chosen[i] = type(field.preset) == 'table' and vim.tbl_contains(field.preset, choice.value)
  end
  local function again()
    local items = {}
    for i, choice in ipairs(choices) do
      table.insert(items, { index = i, text = one_line((chosen[i] and '[x] ' or '[ ] ') .. choice.label, choice.description) })
    end
    table.insert(items, { text = 'Done' })
    vim.ui.select(items, { prompt = field.title, kind = 'planact', format_item = function(item) return item.text end }, function(item)
      if not item then return left() end
      if item.index then
        chosen[item.index] = not chosen[item.index]
        return again()
      end
      local values = {}
      for i, choice in ipairs(choices) do if chosen[i] then table.insert(values, choice.value) end end
      done(values)
    end)
  end
  again()
end

local function ask_object(field, done, left)
  local properties, required = field.schema.properties, field.schema.required or {}
  local names = vim.tbl_filter(function(name) return properties[name] end, vim.deepcopy(required))
  for _, name in ipairs(vim.fn.sort(vim.tbl_keys(properties))) do
    if not vim.tbl_contains(names, name) then table.insert(names, name) end
  end
  local value, preset = vim.empty_dict(), type(field.preset) == 'table' and field.preset or {}
  local function go_on(i)
    local name = names[i]
    if not name then return done((next(value) or not field.is_optional) and value or nil) end
    local schema = properties[name]
    local inner = {
      title = one_line(field.title, schema.title or name, schema.description),
      schema = schema,
      preset = preset[name] == nil and schema.default or preset[name],
      is_optional = not vim.tbl_contains(required, name),
    }
    ask(inner, function(given)
      value[name] = given
      go_on(i + 1)
    end, left)
  end
  go_on(1)
end

local function ask_list(field, done, left)
  local values, preset = {}, type(field.preset) == 'table' and field.preset or {}
  local function go_on()
    local number = #values + 1
    local inner = { title = one_line(field.title, 'number ' .. number), schema = field.schema.items, preset = preset[number], is_optional = true }
    ask(inner, function(given)
      if given == nil then return done(values) end
      table.insert(values, given)
      go_on()
    end, left)
  end
  go_on()
end

ask = function(field, done, left)
  local schema, choices = field.schema, choices_of(field)
  if choices and schema.type == 'array' then return ask_several(field, choices, done, left) end
  if choices then return ask_choice(field, choices, done, left) end
  if schema.type == 'object' and next(schema.properties or {}) then return ask_object(field, done, left) end
  if schema.type == 'array' and schema.items then return ask_list(field, done, left) end
  ask_text(field, done, left)
end

--- Shows what needs room, such as a difference, while the question about it is asked; gives what closes it, and what
--- scrolls to a file.
local function show_contexts(set)
  local lines = {}
  for _, question in ipairs(set.questions) do
    if (question.context or ''):find('\n') then vim.list_extend(lines, vim.split(question.context, '\n')) end
  end
  if #lines == 0 then return function() end, function() end end
  local before, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].filetype = vim.tbl_contains(lines, '```diff') and 'diff' or 'markdown'
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.tbl_filter(function(line) return not line:find('^```') end, lines))
  vim.cmd('botright sbuffer ' .. buffer)
  local window = vim.api.nvim_get_current_win()
  vim.api.nvim_set_current_win(before)
  vim.cmd.redraw()
  local function close() pcall(vim.api.nvim_win_close, window, true) end
  return close, function(path)
    for number, line in ipairs(lines) do
      local at = vim.startswith(line, '--- ') and line:sub(5) == path or vim.startswith(line, '+++ ') and line:sub(5) == path
      if at and vim.api.nvim_win_is_valid(window) then
        vim.api.nvim_win_call(window, function() vim.fn.winrestview({ topline = math.max(1, number - 1), lnum = number - 1 }) end)
        return vim.cmd.redraw()
      end
    end
  end
end

local BY_FILE, WITH_WORDS = 'File by file…', 'Reject, and say why…'

local function pick(prompt, texts, done, left)
  vim.ui.select(texts, { prompt = prompt, kind = 'planact', format_item = tostring }, function(text) if text then done(text) else left() end end)
end

local function ask_words(title, done, left)
  vim.ui.input({ prompt = one_line(title, 'What should be different? The agent reads this') .. ': ' }, function(text)
    if text then done(text) else left() end
  end)
end

--- Asks for leave for edits, and about each file by itself if the user wants that; `send` gets what goes with the answer.
local function ask_leave(set, title, show, send, left)
  local question = set.questions[1]
  local function answer(value, more) send(vim.tbl_extend('error', { answers = { [question.name] = value } }, more or {})) end
  local said = {} -- the paths and what was said to each
  local function settle()
    local rejected = vim.tbl_filter(function(each) return each.words ~= nil end, said)
    local worded = vim.tbl_filter(function(each) return each.words ~= '' end, rejected)
    local comment = table.concat(vim.tbl_map(function(each) return each.path .. ': ' .. each.words end, worded), '\n')
    if #rejected == #said then return answer('reject_once', { comment = comment }) end
    answer('allow_once', { comment = comment, rejected = vim.tbl_map(function(each) return each.path end, rejected) })
  end
  local function ask_file(i)
    local edit = set.edits[i]
    if not edit then return settle() end
    local prompt = ('%d of %d · %s would be %s'):format(i, #set.edits, edit.path, edit.what)
    local function take(words)
      table.insert(said, { path = edit.path, words = words })
      ask_file(i + 1)
    end
    show(edit.path)
    pick(prompt, { 'Allow', 'Reject', WITH_WORDS }, function(text)
      if text == WITH_WORDS then return ask_words(edit.path, take, left) end
      take(text == 'Reject' and '' or nil)
    end, left)
  end
  local texts, values = {}, {}
  for _, option in ipairs(question.options) do
    local text = one_line(option.label, option.description)
    table.insert(texts, text)
    values[text] = option.value
  end
  if #set.edits > 1 then table.insert(texts, BY_FILE) end
  table.insert(texts, WITH_WORDS)
  pick(title, texts, function(text)
    if values[text] then return answer(values[text]) end
    if text == BY_FILE then return ask_file(1) end
    ask_words(title, function(words) answer('reject_once', { comment = words }) end, left)
  end, left)
end

--- Asks the questions of a set in order, only those in `names` if that is given, and sends the answers.
local function ask_set(client, set, answers, names, problem)
  asking = true
  local close, show = show_contexts(set)
  local function finish()
    close()
    asking = false
    ask_unseen()
  end
  local function left()
    finish()
    -- The user has just chosen a command that needs a text: leaving gives the command up.
    local is_wish = set.purpose == 'confirm' and not choices_of(set.questions[1])
    if is_wish then return server.call(client, 'declineQuestion', { question_id = set.question_id }) end
    server.tell('the question stays open, for :Planact answer or :Planact decline')
  end
  local function refused(failure)
    if (failure.data or {}).code ~= 'ANSWER_INVALID' then return false end
    local function is_wrong(name)
      return failure.message:find(name .. ':', 1, true) or failure.message:find(("'%s'"):format(name), 1, true)
    end
    local wrong = vim.tbl_filter(is_wrong, vim.tbl_map(function(question) return question.name end, set.questions))
    ask_set(client, set, answers, #wrong > 0 and wrong or nil, failure.message)
    return true
  end
  local function send(given)
    finish()
    given = vim.tbl_extend('error', { question_id = set.question_id }, given or { answers = answers })
    server.call(client, 'answerQuestion', given, function() M.resolved(client, set) end, refused)
  end
  local function go_on(i)
    local question = set.questions[i]
    if not question then return send() end
    if names and not vim.tbl_contains(names, question.name) then return go_on(i + 1) end
    local context = not (question.context or ''):find('\n') and question.context
    local place = #set.questions > 1 and ('%d of %d'):format(i, #set.questions)
    local title, reason = words_of(question)
    local preset = answers[question.name]
    if preset == nil then preset = question.default end
    ask({
      title = one_line(problem, question.severity == 'critical' and 'Critical' or '', title, reason or '', context, place),
      schema = question.schema,
      options = question.options,
      allow_custom = question.allow_custom,
      preset = preset,
    }, function(value)
      answers[question.name] = value
      go_on(i + 1)
    end, left)
  end
  if #(set.edits or {}) > 0 and set.purpose == 'approval' then
    local title, reason = words_of(set.questions[1])
    return ask_leave(set, one_line(problem or '', title, reason or ''), show, send, left)
  end
  go_on(1)
end

--- Not while the user types: what they type would go into the question.
function M.when_hands_are_free(work)
  local is_free = vim.fn.mode(1) == 'n' or (vim.bo.buftype == 'prompt' and vim.fn.mode() == 'i' and vim.api.nvim_get_current_line() == vim.fn.prompt_getprompt(''))
  if is_free then return vim.schedule(work) end
  vim.cmd.redraw() -- two messages at once, and long ones, make Neovim wait for a key, and eat one that is typed
  server.tell('a question waits for you; later: :Planact answer')
  vim.api.nvim_create_autocmd('ModeChanged', { pattern = '*:n', once = true, callback = vim.schedule_wrap(work) })
end

ask_unseen = function()
  if asking or #unseen == 0 then return end
  M.when_hands_are_free(function()
    local next_one = not asking and table.remove(unseen, 1)
    if not next_one then return end
    local state = server.states[next_one.client.id]
    local is_open = state and vim.tbl_contains(state.questions, next_one.set)
    if is_open then ask_set(next_one.client, next_one.set, {}) else ask_unseen() end
  end)
end

--- A question came. Each is shown once by itself.
function M.pending(client, set)
  local questions = server.states[client.id].questions
  for _, known in ipairs(questions) do
    if known.question_id == set.question_id then return end
  end
  table.insert(questions, set)
  table.insert(unseen, { client = client, set = set })
  ask_unseen()
end

--- It was answered, here or elsewhere, or is of no interest any more.
function M.resolved(client, ended)
  local state = server.states[client.id]
  state.questions = vim.tbl_filter(function(set) return set.question_id ~= ended.question_id end, state.questions)
  vim.cmd.redrawstatus({ bang = true })
end

--- The user wants to answer, or not to.
local function choose(client, done)
  local sets = server.states[client.id].questions
  if #sets == 0 then return server.tell('no question waits for an answer') end
  if #sets == 1 then return done(sets[1]) end
  local function text(set) return one_line((words_of(set.questions[1]))) end
  vim.ui.select(sets, { prompt = 'Which question', kind = 'planact', format_item = text }, function(set) if set then done(set) end end)
end

function M.answer(client)
  choose(client, function(set) ask_set(client, set, {}) end)
end

function M.decline(client)
  choose(client, function(set) server.call(client, 'declineQuestion', { question_id = set.question_id }) end)
end

return M
