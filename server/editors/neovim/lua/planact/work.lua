-- The work of the folder as the server tells it: words for the status line, a wait for the model, what was interrupted,
-- and the comments and changes that belong to it.
local questions = require('planact.questions')
local server = require('planact.server')
local M = {}
local MODES = { Plan = '%#PlanactPlan#Plan%*', Act = '%#PlanactAct#Act%*' }
local FOLD_LOOK_MS, FOLD_LOOKS = 100, 100
local SIGNS = vim.api.nvim_create_namespace('planact_comments')

--- The work in a few words for 'statusline', such as `Act 2/4 · answer`, with the mode in its colour.
function M.words(state)
  local text = state.work and state.work.status_text or state.mode:gsub('^%l', string.upper)
  return (text:gsub('%%', '%%%%'):gsub('^%a+', MODES))
end

--- What the user is to know before a command that another window's run refuses; nil where there is none.
function M.refusal(client)
  local work = server.states[client.id].work
  return work and work.elsewhere and work.text or nil
end

--- Shows the wait for the model in one line that takes the place of itself, and fills no history.
function M.retry(retry)
  vim.api.nvim_echo({ { retry.short_text or '' } }, false, {})
end

--- Takes what was told of the work.
function M.changed(client, told)
  local state = server.states[client.id]
  state.work, state.is_running = told.work, told.is_running
end

local function resume(client, work) server.call(client, 'resumeExecution', { execution_id = work.execution_id }) end

--- Lists the changes of a run by file and place, and shows them as one difference.
function M.review(client, execution_id)
  server.call(client, 'showExecution', { execution_id = execution_id or '' }, function(run)
    local steps, seen, diffs, items = {}, {}, {}, {}
    for _, record in ipairs(run.steps) do
      if #record.files > 0 and not seen[record.step_number] then
        seen[record.step_number] = true
        table.insert(steps, record.step_number)
      end
    end
    if #steps == 0 then return server.tell('the run changed no file') end
    local function show()
      local lines = vim.split(table.concat(diffs, '\n'), '\n')
      local path
      for _, line in ipairs(lines) do
        path = line:match('^%+%+%+ (%S+)') or path
        local at = line:match('^@@ %-%S+ %+(%d+)')
        if at and path then table.insert(items, { filename = client.config.root_dir .. '/' .. path, lnum = tonumber(at), text = line }) end
      end
      vim.fn.setqflist({}, ' ', { title = 'Planact: ' .. run.goal, items = items })
      vim.cmd.new()
      vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = 'nofile', 'wipe', 'diff'
      vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
      vim.bo.modifiable = false
      vim.cmd('botright copen')
    end
    local function next_step(i)
      if not steps[i] then return show() end
      server.call(client, 'diffStep', { execution_id = run.id, step = steps[i] }, function(difference)
        table.insert(diffs, difference.diff)
        next_step(i + 1)
      end)
    end
    next_step(1)
  end)
end

--- Asks once, after the start, about a run that was interrupted.
function M.offer(client, work)
  if work.state ~= 'interrupted' then return end
  questions.when_hands_are_free(function()
    local state = server.states[client.id]
    if not state or not state.work or state.work.state ~= 'interrupted' then return end
    local rows = work.files > 0 and { 'Continue', 'Review changes', 'Roll back', 'Later' } or { 'Continue', 'Later' }
    vim.ui.select(rows, { prompt = work.title .. ': ' .. work.text, kind = 'planact', format_item = tostring }, function(row)
      if row == 'Continue' then resume(client, work) end
      if row == 'Review changes' then M.review(client, work.execution_id) end
      if row == 'Roll back' then server.call(client, 'rollBack', { execution_id = work.execution_id }) end
    end)
  end)
end

--- Writes a comment below the line of the cursor; the buffer stays unsaved, as after typing.
function M.comment(client, words)
  local uri, line = vim.uri_from_bufnr(0), vim.fn.line('.') - 1
  local function write(text)
    if text and vim.trim(text) ~= '' then server.call(client, 'commentPlan', { uri = uri, line = line, text = text }) end
  end
  if words ~= '' then return write(words) end
  vim.ui.input({ prompt = 'What should be different here? ' }, write)
end

--- Puts a bar left of the comments in a plan.
function M.sign_comments(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, SIGNS, 0, -1)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find('^%s*>') then
      vim.api.nvim_buf_set_extmark(buffer, SIGNS, number - 1, 0, { sign_text = '┃', sign_hl_group = 'PlanactPlan' })
    end
  end
end

--- Folds the front matter away once the server has registered that it folds plans, which it does after a plan is open.
local function fold_front_matter(buffer, tries)
  local window = vim.fn.bufwinid(buffer)
  if window < 0 or tries == 0 then return end
  if #vim.lsp.get_clients({ bufnr = buffer, method = 'textDocument/foldingRange' }) == 0 then
    return vim.defer_fn(function() fold_front_matter(buffer, tries - 1) end, FOLD_LOOK_MS)
  end
  vim.wo[window][0].foldmethod, vim.wo[window][0].foldlevel = 'expr', 99
  vim.wo[window][0].foldexpr = 'v:lua.vim.lsp.foldexpr()'
  vim.api.nvim_win_call(window, function() vim.fn.foldlevel(1) end) -- Neovim learns of folds by it
  vim.lsp.foldclose('imports', window)
end

--- Puts the cursor on the goal of a plan that is opened, and folds its front matter where Neovim can (0.11).
function M.show_goal(buffer)
  local window = vim.fn.bufwinid(buffer)
  if window < 0 then return end
  vim.api.nvim_win_call(window, function()
    if vim.fn.line('.') == 1 then vim.fn.search('^# ', 'cW') end
  end)
  if vim.fn.has('nvim-0.11') == 1 then fold_front_matter(buffer, FOLD_LOOKS) end
end

return M
