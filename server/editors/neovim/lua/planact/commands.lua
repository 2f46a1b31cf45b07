-- What `:Planact WORD` does: with the plan, or its step at the cursor, what the server offers there; else a command.
local chat = require('planact.chat')
local questions = require('planact.questions')
local server = require('planact.server')
local work = require('planact.work')
local M = {}

-- Words for what the server offers in a plan.
local OFFERS = {
  generate = { 'generatePlan' },
  approve = { 'approvePlan' },
  execute = { 'executePlan', 'resumeExecution' },
  run = { 'executeStep' },
  skip = { 'skipStep' },
  retry = { 'retryStep' },
  failure = { 'showFailure' },
  revise = { 'revisePlan' },
  changes = { 'showChanges' },
  rollback = { 'rollBack' },
}
local ENDINGS = {
  success = 'is carried out',
  partial_success = 'is partly done',
  failed = 'failed',
  aborted = 'was aborted',
  paused = 'is paused',
  nothing_done = 'ended with nothing done',
}

--- What came of a command, in a line; nil where the plan shows it.
local function outcome(name, arguments, result)
  if name == 'approvePlan' then return result.path .. ' is approved as it is now' end
  if (name == 'generatePlan' or name == 'revisePlan') and result.path ~= '' then return result.path .. ' is ready' end
  if name == 'rollBack' then
    local stayed = #result.stayed > 0 and '; what could not be put back: ' .. table.concat(result.stayed, ', ') or ''
    local files = #result.files == 1 and '1 file is' or ('%d files are'):format(#result.files)
    return ('rolled back, %s as before%s'):format(files, stayed)
  end
  local ending = result and ENDINGS[result.status]
  if not ending or not result.goal then return end
  if arguments.step and result.status == 'success' then return ('step %d of “%s” is done'):format(arguments.step, result.goal) end
  local reason = result.reason ~= '' and result.status ~= 'success' and ': ' .. result.reason or ''
  return ('“%s” %s%s'):format(result.goal ~= '' and result.goal or 'The work', ending, reason)
end

--- Tells how a run ended, and which open files that it changed aren't saved, as far as a server that ends still says so.
local function tell_end(client, ending, run)
  local function tell(unsaved)
    server.tell(ending .. unsaved, run.status == 'failed' and vim.log.levels.WARN or nil)
    return true
  end
  server.call(client, 'showExecution', { execution_id = run.id }, function(shown)
    tell(#shown.unsaved > 0 and ('; not saved: %s (:Planact save)'):format(table.concat(shown.unsaved, ', ')) or '')
  end, function() return tell('') end)
end

--- Runs a command of the server and tells what came of it.
local function run(client, name, arguments)
  if name == 'answerQuestion' and not arguments.uri then return questions.answer(client) end
  server.call(client, name, arguments, function(result)
    local told = outcome(name, arguments, result)
    if not told then return end
    if result.id then tell_end(client, told, result) else server.tell(told) end -- only runs have one
  end)
end

--- What a lens or a code action does takes the same road.
function M.clicked(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  run(client, (command.command:gsub('^planact%.', '')), (command.arguments or {})[1] or {})
end

local function is_plan() return vim.bo.filetype == 'plan' end

--- What the server offers at the cursor of a plan: what lenses show, also where they are off.
local function offers(client, done)
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = {}, only = { 'source.planact' } }
  server.request(client, 'textDocument/codeAction', params, function(problem, actions)
    if problem then return server.tell(problem.message, vim.log.levels.ERROR) end
    done(actions or {})
  end)
end

local function pick(client, list, field, prompt, text, done)
  server.call(client, list, {}, function(result)
    local items = result[field]
    if #items == 0 then return server.tell('there are no ' .. field) end
    vim.ui.select(items, { prompt = prompt, kind = 'planact', format_item = text }, function(item) if item then done(item) end end)
  end)
end

local function ask(prompt, words, done)
  if words ~= '' then return done(words) end
  vim.ui.input({ prompt = prompt }, function(text) if text and vim.trim(text) ~= '' then done(text) end end)
end

local function open(uri) vim.cmd.edit(vim.fn.fnameescape(vim.uri_to_fname(uri))) end

--- Shows a plan that was made, but takes nobody away who writes something else meanwhile.
local function open_made(made)
  if made.uri == '' then return end
  if vim.fn.mode(1) == 'n' then open(made.uri) else server.tell(made.path .. ' is made') end
end

local function show(name, text)
  vim.cmd.new()
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = 'nofile', 'wipe', 'markdown'
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, '\n'))
  vim.bo.modifiable = false
  pcall(vim.api.nvim_buf_set_name, 0, 'planact://' .. name)
end

local function plans(client, done)
  pick(client, 'listPlans', 'plans', 'Which plan', function(plan) return ('%s (%s)'):format(plan.goal, plan.status) end, function(plan)
    open(plan.uri)
    if done then done() end
  end)
end

local function do_offered(client, word, words)
  local refusal = work.refusal(client)
  if refusal then return server.tell(refusal, vim.log.levels.WARN) end
  if not is_plan() then return plans(client, function() do_offered(client, word, words) end) end
  offers(client, function(actions)
    for _, name in ipairs(OFFERS[word]) do
      for _, action in ipairs(actions) do
        if action.command.command == 'planact.' .. name then
          local arguments = action.command.arguments[1]
          if word == 'revise' and words ~= '' then arguments.feedback = words end
          return run(client, name, arguments)
        end
      end
    end
    local titles = table.concat(vim.tbl_map(function(action) return action.title end, actions), ', ')
    server.tell(('nothing to %s here; what can be done: %s'):format(word, titles ~= '' and titles or 'nothing now'))
  end)
end

local WORDS = {
  new = function(client, words)
    ask('What do you want done? ', words, function(request)
      server.call(client, 'generatePlan', { request = request }, open_made)
    end)
  end,
  plans = function(client) plans(client) end,
  template = function(client)
    pick(client, 'listTemplates', 'templates', 'Which template', function(template) return template.name .. ': ' .. template.goal end, function(template)
      server.call(client, 'useTemplate', { name = template.name }, open_made)
    end)
  end,
  runs = function(client)
    pick(client, 'listExecutions', 'executions', 'Which run', function(each) return ('%s (%s)'):format(each.goal, each.status:gsub('_', ' ')) end, function(each)
      server.call(client, 'showExecution', { execution_id = each.id }, function(shown) show('run', shown.report) end)
    end)
  end,
  resume = function(client) run(client, 'resumeExecution', is_plan() and { uri = vim.uri_from_bufnr(0) } or {}) end,
  mode = function(client, words)
    if words ~= '' then return server.call(client, 'setMode', { mode = words }) end
    vim.ui.select({ 'Plan', 'Act' }, { prompt = 'Which mode', kind = 'planact' }, function(mode)
      if mode then server.call(client, 'setMode', { mode = mode:lower() }) end
    end)
  end,
  model = function(client, words)
    if words ~= '' then return server.call(client, 'setModel', { model = words }) end
    pick(client, 'listModels', 'models', 'Which model', function(model) return model.name end, function(model)
      server.call(client, 'setModel', { model = model.name })
    end)
  end,
  role = function(client, words)
    if words ~= '' then return server.call(client, 'setRole', { role = words }) end
    pick(client, 'listRoles', 'roles', 'Which role', function(role) return role.name .. ': ' .. role.description end, function(role)
      server.call(client, 'setRole', { role = role.name })
    end)
  end,
  save = function(client)
    server.call(client, 'saveFiles', {}, function(done)
      local told = {}
      if #done.saved > 0 then table.insert(told, 'saved: ' .. table.concat(done.saved, ', ')) end
      if #done.unsaved > 0 then table.insert(told, 'not saved: ' .. table.concat(done.unsaved, ', ')) end
      server.tell(#told > 0 and table.concat(told, '; ') or 'all files of the run are saved')
    end)
  end,
  answer = function(client) questions.answer(client) end,
  decline = function(client) questions.decline(client) end,
  stop = function(client)
    server.call(client, 'stop', {}, function(result) if not result.stopped then server.tell('nothing is running') end end)
  end,
  chat = function(client, words, selection)
    if words == '' then return chat.open(client) end
    chat.send(client, selection and words .. ' @selection' or words, selection)
  end,
  status = function(client)
    server.call(client, 'showStatus', {}, function(status)
      local model = status.model ~= '' and status.model or 'no model yet; set one in ~/.config/planact/config.toml'
      local mode = status.mode:gsub('^%l', string.upper)
      server.tell(('%s · %s · questions that wait: %d · sandbox: %s'):format(mode, model, status.open_questions, status.sandbox))
    end)
  end,
  comment = function(client, words)
    if not is_plan() then return plans(client) end
    work.comment(client, words)
  end,
  review = function(client) work.review(client, (server.states[client.id].work or {}).execution_id) end,
  again = function(client) server.call(client, 'tryAgain', {}) end,
  now = function(client)
    server.call(client, 'retryNow', {}, function(result) if not result.retried then server.tell('nothing waits for the model') end end)
  end,
  restart = function() server.restart() end,
}

--- The words, for completion.
function M.words()
  local words = vim.list_extend(vim.tbl_keys(OFFERS), vim.tbl_keys(WORDS))
  table.sort(words)
  return words
end

local function choose(client, actions)
  local items = vim.tbl_map(function(action) return { text = action.title, choose = function() M.clicked(action.command, { client_id = client.id }) end } end, actions)
  for _, word in ipairs({ 'answer', 'new', 'chat', 'plans', 'template', 'runs', 'mode', 'stop' }) do
    table.insert(items, { text = ':Planact ' .. word, choose = function() WORDS[word](client, '') end })
  end
  vim.ui.select(items, { prompt = 'Planact', kind = 'planact', format_item = function(item) return item.text end }, function(item) if item then item.choose() end end)
end

--- `:Planact`: offers what can be done; `:Planact WORD …` does it. A range is what `:'<,'>Planact chat` is about.
function M.run(command)
  local word, words = command.fargs[1], table.concat(command.fargs, ' ', 2)
  if word == 'restart' then return server.restart() end
  if word and not OFFERS[word] and not WORDS[word] then
    return server.tell(('there is no :Planact %s; there are: %s'):format(word, table.concat(M.words(), ', ')), vim.log.levels.ERROR)
  end
  local path = vim.api.nvim_buf_get_name(0)
  server.with(function(client)
    local root = client.config.root_dir
    local selection = command.range > 0 and vim.startswith(path, root .. '/') and ('%s:%d-%d'):format(path:sub(#root + 2), command.line1, command.line2) or nil
    if not word then
      if #server.states[client.id].questions > 0 then return questions.answer(client) end
      if not is_plan() then return choose(client, {}) end
      return offers(client, function(actions) choose(client, actions) end)
    end
    if OFFERS[word] then return do_offered(client, word, words) end
    WORDS[word](client, words, selection)
  end)
end

return M
