-- Neovim, with nothing of planact's own: a plan is talked over in the document and carried out in pieces, by lenses.
-- All texts are in loop.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('loop.json')
local workspace = vim.env.WORKSPACE
local RUN_LIMIT_MS = 60000

editor.enable_plain('loop.yaml')
editor.answer_questions({ { match = words.save.question, choose = words.save.answer } })

local function mark(step, name) return words.marks[name] .. words.steps[step] end

editor.scenario(function()
  local source = editor.open(workspace .. '/' .. words.source)
  local plan = editor.open(workspace .. '/loop.plan')
  local function holds(text, buffer) editor.wait_for_text(buffer or plan, vim.pesc(text), RUN_LIMIT_MS) end

  local answer = vim.ui.select
  vim.ui.select = function(items, opts, on_choice)
    if (opts.prompt or ''):find(words.save.question, 1, true) then vim.api.nvim_buf_call(source, vim.cmd.write) end
    answer(items, opts, on_choice)
  end
  vim.fn.appendbufline(source, '$', vim.trim(words.unsaved))
  vim.lsp.codelens.refresh({ bufnr = source }) -- a request sends the text at once; else the plan would rest on the old one
  editor.run_lens(plan, words.actions.generate)
  holds(words.question.text)
  editor.replace(plan, words.question.box, words.question.ticked)
  editor.run_lens(plan, words.actions.answer, words.question.text)
  for _, text in ipairs(words.planned) do holds(text) end

  editor.replace(plan, words.comment.below, words.comment.below .. '\n' .. words.comment.line)
  editor.run_lens(plan, words.actions.revise)
  holds(words.revised)

  editor.run_lens(plan, words.actions.approve)
  editor.wait_for_lens(plan, words.approved)
  editor.run_lens(plan, words.actions.runStep, words.steps[1])
  holds(mark(1, 'done'))
  holds(mark(2, 'pending'))
  holds(words.edit, source)

  editor.run_lens(plan, words.actions.skip, words.steps[2])
  holds(mark(2, 'skipped'))
  holds(mark(3, 'pending'))
  editor.run_lens(plan, words.actions.execute)
  holds(mark(3, 'done'))
  holds(words.status)
  holds(mark(2, 'skipped'))
  local others = vim.tbl_filter(function(each) return not each.prompt:find(words.save.question, 1, true) end, editor.asked)
  assert(#others == 0, 'nothing else was asked in a dialog: ' .. vim.inspect(others))
end)
