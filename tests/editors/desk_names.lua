-- Neovim: the model finds where a name is used and defined, renames it and takes a quick fix, by a language server of Neovim's;
-- the server's commands are never run. Texts: desk.json.
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local editor = dofile(here .. '/harness/neovim.lua')
local given = editor.texts('desk.json').names
local workspace = vim.env.WORKSPACE

editor.enable_planact('desk.yaml', { settings = { model = 'scripted:' .. here .. '/desk.yaml', approval = 'acceptAll' } })
local started
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'text',
  callback = function(event)
    started = vim.lsp.start({ name = 'naming', cmd = { 'python3', '-I', workspace .. '/naming_server.py' }, root_dir = workspace }, { bufnr = event.buf })
  end,
})

editor.scenario(function()
  local near = editor.open(workspace .. '/near.txt')
  editor.wait('both servers are there', function() return #vim.lsp.get_clients({ bufnr = near }) == 2 end)
  vim.cmd('Planact mode act')
  editor.wait('it is Act', function() return require('planact').statusline():find('Act', 1, true) end)
  vim.cmd('Planact chat')
  local chat = vim.api.nvim_get_current_buf()
  editor.wait('the chat is there', function() return vim.bo[chat].buftype == 'prompt' end)
  vim.cmd('Planact chat ' .. given.message)
  for _, told in ipairs(given.told) do editor.wait_for_text(chat, vim.pesc(told)) end
  editor.wait_for_text(near, vim.pesc(given.made['near.txt']))
  assert(vim.bo[near].modified, 'planact made the edit, and the user saves it')
  editor.wait_for_rest()

  local answers = vim.tbl_extend('force', given.answers, given.harm)
  vim.fn.writefile({ vim.json.encode(answers) }, workspace .. '/answers.json')
  vim.cmd('Planact chat ' .. given.refused)
  editor.wait_for_text(chat, vim.pesc(given.refusal))

  local heard
  require('planact.server').request(vim.lsp.get_client_by_id(started), 'test/heard', {}, function(_, result) heard = result.methods end)
  editor.wait('the server tells', function() return heard end)
  for _, each in ipairs(given.heard) do assert(heard:find(each, 1, true), heard) end
  assert(not heard:find(given.never, 1, true), heard)
end)
