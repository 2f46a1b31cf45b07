-- Neovim: from a request to executed edits, as a person does it. All texts are in words.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('words.json')
local workspace = vim.env.WORKSPACE
local RUN_LIMIT_MS = 60000

editor.enable_planact('model.yaml')
editor.answer_questions({
  { match = vim.pesc(words.question.text), choose = words.question.answer },
  { match = '', choose = words.confirm.execute },
})

local function holds(buffer, text) return editor.wait_for_text(buffer, vim.pesc(text), RUN_LIMIT_MS) end

editor.scenario(function()
  local source = editor.open(workspace .. '/store.py')
  local plan = editor.open(workspace .. '/request.plan')

  editor.run_lens(plan, words.lenses.generate)
  holds(plan, words.inPlan.pending)
  holds(plan, words.inPlan.goal)
  for _, lens in ipairs({ 'execute', 'revise', 'runStep', 'skip' }) do
    editor.wait_for_lens(plan, words.lenses[lens])
    editor.wait('the lens is drawn', function() return editor.drawn_lenses(plan):find(words.lenses[lens], 1, true) end)
  end

  editor.wait('the plan is saved', function() return not vim.bo[plan].modified end)
  assert(vim.fn.glob(workspace .. '/.planact/plans/*.plan') == '', 'the plan is in its request, and nowhere else')

  editor.run_lens(plan, words.lenses.execute)
  holds(source, words.edits['store.py'])
  for _, mark in ipairs(words.inPlan.done) do holds(plan, mark) end
  editor.wait('what came of the steps stands behind them', function() return #vim.lsp.inlay_hint.get({ bufnr = plan }) == 2 end)
  local asked = vim.tbl_filter(function(question) return question.prompt:find(words.question.text, 1, true) end, editor.asked)
  assert(#asked == 1, 'the question was asked once: ' .. vim.inspect(editor.asked))
  assert(vim.deep_equal(vim.list_slice(asked[1].titles, 1, 2), words.question.answers), vim.inspect(asked))
end)
