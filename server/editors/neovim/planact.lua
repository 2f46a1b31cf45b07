-- planact in Neovim 0.11. Into init.lua:
--
--   vim.lsp.config('planact', dofile('/where/it/is/planact.lua'))
--   vim.lsp.enable('planact')
--
-- Open or write a *.plan file. Lenses: `:lua vim.lsp.codelens.run()` (or gra for the same as code actions).
-- Settings go into `init_options.settings`, named as in the README; the model is better chosen in ~/.config/planact/config.toml.
vim.filetype.add({ extension = { plan = 'plan' } })

vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'LspAttach' }, {
  pattern = '*.plan',
  callback = function(event) vim.lsp.codelens.refresh({ bufnr = event.buf }) end,
})

-- What came of each step stands behind it.
vim.api.nvim_create_autocmd('LspAttach', {
  pattern = '*.plan',
  callback = function(event) vim.lsp.inlay_hint.enable(true, { bufnr = event.buf }) end,
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

-- Neovim 0.11 does not redraw lenses by itself when a server says that they are others now.
local function refresh(_, _, context)
  for buffer in pairs(vim.lsp.get_client_by_id(context.client_id).attached_buffers) do
    if vim.bo[buffer].filetype == 'plan' then vim.lsp.codelens.refresh({ bufnr = buffer }) end
  end
  return vim.NIL
end

local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.workspace.codeLens = { refreshSupport = true }
capabilities.experimental = { planact = { save = true } }

-- No `filetypes`: the agent reads unsaved text of every language.
return {
  cmd = { 'planact', 'serve' },
  root_markers = { '.planact', '.git' },
  capabilities = capabilities,
  handlers = { ['planact/save'] = save, ['workspace/codeLens/refresh'] = refresh },
}
