-- Neovim: a form is answered with pickers field by field, and what is typed into the chat stays. Texts: desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local words = editor.texts('desk.json')
local form = words.form

editor.enable_planact('desk.yaml')

editor.scenario(function()
  local given = vim.deepcopy(form.given)
  local function next_answer(prompt)
    local answer = table.remove(given, 1)
    assert(answer and prompt:find(answer[1], 1, true), vim.inspect({ prompt, answer }))
    return answer[2]
  end
  local prompts = {}
  vim.ui.select = function(items, opts, on_choice)
    table.insert(prompts, opts.prompt)
    local wanted = next_answer(opts.prompt)
    for i, item in ipairs(items) do
      if opts.format_item(item):find(wanted, 1, true) then return on_choice(item, i) end
    end
    error('no ' .. wanted .. ' in ' .. vim.inspect(vim.tbl_map(opts.format_item, items)))
  end
  vim.ui.input = function(opts, on_confirm) on_confirm(next_answer(opts.prompt)) end

  editor.open(vim.env.WORKSPACE .. '/app.py')
  vim.cmd('Planact chat')
  local chat = vim.api.nvim_get_current_buf()
  editor.wait('the chat is there', function() return vim.bo[chat].buftype == 'prompt' end)
  vim.api.nvim_buf_set_lines(chat, -2, -1, false, { '› ' .. words.typed })
  vim.cmd('Planact chat ' .. form.message)

  editor.wait_for_text(chat, vim.pesc(form.thanks))
  editor.wait_for_rest()
  assert(#given == 0, vim.inspect(given))
  assert(prompts[1]:find('Critical', 1, true) and prompts[1]:find('1 of 9', 1, true), prompts[1])
  local text = editor.text(chat)
  local answers = text:match(vim.pesc(form.thanks) .. '(%b{})')
  assert(vim.deep_equal(vim.json.decode(answers), form.answers), answers)
  assert(text:find('› ' .. form.message, 1, true) and vim.endswith(text, '\n› ' .. words.typed), text)
end)
