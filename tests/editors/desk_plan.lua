-- Neovim, without lenses: a plan is made, approved and carried out by commands; its question is answered in a picker, the
-- run is stopped and the server started anew in between, and the statusline tells. All texts are in desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('desk.json')
local workspace = vim.env.WORKSPACE
local RUN_LIMIT_MS = 60000

editor.enable_planact('desk.yaml', { lenses = false })

local function status() return (vim.api.nvim_eval_statusline(require('planact').statusline(), {}).str) end
local function wait_for_status(text) editor.wait('the statusline tells ' .. text, function() return status():find(text, 1, true) end, RUN_LIMIT_MS) end

editor.scenario(function()
  local told, asked = {}, {}
  local notify = vim.notify
  vim.notify = function(text, level, opts)
    table.insert(told, text)
    notify(text, level, opts)
  end
  local answers = { [words.questions.alias] = words.questions.remove, [words.questions.confirm] = words.questions.execute }
  vim.ui.select = function(items, opts, on_choice)
    table.insert(asked, { prompt = opts.prompt, status = status() })
    for prompt, answer in pairs(answers) do
      for i, item in ipairs(opts.prompt:find(prompt, 1, true) and items or {}) do
        if opts.format_item(item):find(answer, 1, true) then return on_choice(item, i) end
      end
    end
    on_choice(nil, nil)
  end
  local function was_asked(text) return vim.iter(asked):find(function(each) return each.prompt:find(text, 1, true) end) end
  local function was_told(text) return vim.iter(told):find(function(each) return each:find(text, 1, true) end) end

  vim.cmd('Planact status')
  editor.wait('it tells where no file is open', function() return was_told('sandbox: ') end)
  assert(#vim.lsp.get_clients({ bufnr = 0 }) == 0, 'the empty buffer is nobody\'s')
  editor.open(workspace .. '/store.py')
  wait_for_status(words.statuses.plan)
  vim.cmd('Planact new ' .. words.request)
  editor.wait('the plan is shown', function() return editor.text(0):find(words.goal, 1, true) end, RUN_LIMIT_MS)
  local plan = vim.api.nvim_get_current_buf()
  assert(editor.drawn_lenses(plan) == '', 'lenses are off')

  assert(#vim.lsp.get_clients() == 1, 'one server knows all files')
  vim.cmd('Planact approve')
  editor.wait('it is approved', function() return was_told(words.approved) end)
  vim.cmd('Planact execute')
  editor.wait('the question is asked', function() return was_asked(words.questions.alias) end, RUN_LIMIT_MS)
  local seen = was_asked(words.questions.alias).status
  for _, text in ipairs({ words.statuses.act, words.statuses.waiting, words.statuses.running[1] }) do
    assert(seen:find(text, 1, true), seen)
  end
  editor.wait_for_text(plan, vim.pesc(words.steps.first), RUN_LIMIT_MS)

  -- The second question is left open, and its run stopped.
  editor.wait('it asks again', function() return was_asked(words.questions.caller) end, RUN_LIMIT_MS)
  wait_for_status(words.statuses.running[2])
  vim.cmd('Planact stop')
  editor.wait_for_text(plan, vim.pesc(words.paused), RUN_LIMIT_MS)
  editor.wait('nothing waits', function() return not status():find(words.statuses.waiting, 1, true) end)

  vim.cmd('Planact restart')
  editor.wait('the server is another', function() return status():find(words.statuses.paused, 1, true) end)
  answers[words.questions.caller] = words.questions.change
  vim.api.nvim_set_current_buf(plan)
  vim.cmd('Planact execute')
  editor.wait_for_text(plan, vim.pesc(words.steps.last), RUN_LIMIT_MS)
  editor.wait_for_text(plan, vim.pesc(words.done), RUN_LIMIT_MS)
  editor.wait('its end is told', function() return was_told(words.ended) end)

  vim.cmd('Planact mode plan')
  wait_for_status(words.statuses.plan)
  vim.cmd('Planact mode act')
  wait_for_status(words.statuses.act)
end)
