-- planact in Neovim 0.11: put this file into ~/.config/nvim/lsp/ (or `dofile` it) and add `vim.lsp.enable('planact')` to init.lua.
--
-- Open or write a *.plan file. Lenses: `:lua vim.lsp.codelens.run()` (or gra for the same as code actions).
-- Settings go into `init_options.settings`, named as in the README; the model is better chosen in ~/.config/planact/config.toml.
vim.filetype.add({ extension = { plan = 'plan' } })

vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'LspAttach' }, {
  pattern = '*.plan',
  callback = function(event) vim.lsp.codelens.refresh({ bufnr = event.buf }) end,
})

-- Writes changed files, so that a command sees them as the editor shows them.
local function save(_, params)
  local saved = {}
  for _, uri in ipairs(params.uris) do
    local buffer = vim.uri_to_bufnr(uri)
    if vim.api.nvim_buf_is_loaded(buffer) then
      vim.api.nvim_buf_call(buffer, function() vim.cmd('silent noautocmd update') end)
      table.insert(saved, uri)
    end
  end
  return { saved = saved }
end

local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.experimental = { planact = { save = true } }

-- No `filetypes`: the agent reads unsaved text of every language.
return {
  cmd = { 'planact', 'serve' },
  root_markers = { '.planact', '.git' },
  capabilities = capabilities,
  handlers = { ['planact/save'] = save },
}
