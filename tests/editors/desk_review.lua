-- Neovim: of an edit of two files one is allowed and the other rejected with words. All texts are in desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local review = editor.texts('desk.json').review

editor.enable_planact('desk.yaml')

editor.scenario(function()
  local given, seen = vim.deepcopy(review.given), {}
  local function next_answer(prompt)
    local answer = table.remove(given, 1)
    assert(answer and prompt:find(answer[1], 1, true), vim.inspect({ prompt, answer }))
    return answer[2]
  end
  -- The line at the top of the window with the differences.
  local function shown()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local buffer = vim.api.nvim_win_get_buf(window)
      if vim.bo[buffer].filetype == 'diff' then
        return vim.api.nvim_buf_get_lines(buffer, vim.fn.line('w0', window) - 1, vim.fn.line('w0', window) + 1, false)
      end
    end
  end
  vim.ui.select = function(items, opts, on_choice)
    local wanted = next_answer(opts.prompt)
    table.insert(seen, shown())
    for i, item in ipairs(items) do
      if opts.format_item(item):find(wanted, 1, true) then return on_choice(item, i) end
    end
    error('no ' .. wanted)
  end
  vim.ui.input = function(opts, on_confirm) on_confirm(next_answer(opts.prompt)) end

  editor.open(vim.env.WORKSPACE .. '/app.py')
  vim.cmd('Planact mode act')
  editor.wait('it is Act', function() return require('planact').statusline():find('Act', 1, true) end)
  vim.cmd('Planact chat')
  local chat = vim.api.nvim_get_current_buf()
  editor.wait('the chat is there', function() return vim.bo[chat].buftype == 'prompt' end)
  vim.cmd('Planact chat ' .. review.message)
  editor.wait_for_text(chat, vim.pesc(review.heard))
  assert(#given == 0, vim.inspect(given))
  assert(vim.deep_equal(seen[2], { '--- store.py', '+++ store.py' }), vim.inspect(seen))
end)
