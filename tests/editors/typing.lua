-- Neovim: the user types into the file that the agent edits. All texts are in words.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('words.json')
local typing = words.typing
local workspace = vim.env.WORKSPACE
local RUN_LIMIT_MS = 60000
local PEOPLES_DELAY_MS = 90

editor.enable_planact('model.yaml')
editor.answer_questions({
  { match = vim.pesc(typing.question), choose = typing.begin },
  { match = vim.pesc(typing.lastQuestion), choose = typing.finish },
  { match = '', choose = words.confirm.execute },
})

--- Puts text where the last line ends, as keys do.
local function type_at_end(buffer, text)
  local row = vim.api.nvim_buf_line_count(buffer) - 1
  local column = #vim.api.nvim_buf_get_lines(buffer, row, row + 1, true)[1]
  vim.api.nvim_buf_set_text(buffer, row, column, row, column, vim.split(text, '\n'))
end

--- Types key by key from now on; calls `ready` after the last one.
local function type_slowly(buffer, text, ready)
  local position = 0
  local timer = assert(vim.uv.new_timer())
  timer:start(0, PEOPLES_DELAY_MS, vim.schedule_wrap(function()
    if position == #text then return end
    position = position + 1
    type_at_end(buffer, text:sub(position, position))
    if position == #text then
      timer:close()
      ready()
    end
  end))
end

editor.scenario(function()
  local numbers = editor.open(workspace .. '/' .. typing.file)
  local plan = editor.open(workspace .. '/request.plan')
  editor.run_lens(plan, words.lenses.generate)
  editor.wait_for_text(plan, vim.pesc(words.inPlan.pending), RUN_LIMIT_MS)

  local is_ready, answer = false, vim.ui.select
  vim.ui.select = function(items, opts, on_choice)
    local prompt = opts.prompt or ''
    if prompt:find(typing.question, 1, true) then
      type_at_end(numbers, '\n' .. typing.before .. '\n')
      vim.lsp.codelens.refresh({ bufnr = numbers }) -- a request of the client brings what was typed at once, not a moment later
      answer(items, opts, on_choice)
      type_slowly(numbers, typing.meanwhile, function() is_ready = true end)
    elseif prompt:find(typing.lastQuestion, 1, true) then
      editor.wait('the typing ends', function() return is_ready end)
      answer(items, opts, on_choice)
    else
      answer(items, opts, on_choice)
    end
  end
  editor.run_lens(plan, words.lenses.execute)
  editor.wait_for_text(plan, vim.pesc(typing.done), RUN_LIMIT_MS)

  local expected = typing.result .. typing.before .. '\n' .. typing.meanwhile
  assert(editor.text(numbers) == expected, editor.text(numbers))
  assert(table.concat(vim.fn.readfile(workspace .. '/' .. typing.file), '\n') == vim.trim(typing.text), 'nothing is saved over the user\'s head')
end)
