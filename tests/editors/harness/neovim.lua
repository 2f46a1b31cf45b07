-- Drives Neovim's own LSP client in a headless editor: open, lens, question, wait.
-- `scenario(body)` runs the body once the editor is up and makes any error the exit code of the process.
local M = { asked = {}, errors = {} }
local LIMIT_MS = 180000

--- What a question of the server is answered with: the first of `rules` ({ match = pattern, choose = title }) that
--- matches its prompt. A question without a rule, or without that choice, is an error.
function M.answer_questions(rules)
  vim.ui.select = function(items, opts, on_choice)
    local titles = vim.tbl_map(function(item) return (opts.format_item or tostring)(item) end, items)
    local question = { prompt = opts.prompt or '', titles = titles }
    table.insert(M.asked, question)
    for _, rule in ipairs(rules) do
      if question.prompt:find(rule.match) then
        for i, title in ipairs(titles) do
          if title:find(rule.choose, 1, true) then
            question.chosen = title
            return on_choice(items[i], i)
          end
        end
      end
    end
    table.insert(M.errors, 'no answer for: ' .. vim.inspect(question))
    on_choice(nil, nil)
  end
end

local tests = vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)))

--- The texts of a JSON file.
function M.texts(name) return vim.json.decode(table.concat(vim.fn.readfile(tests .. '/' .. name), '\n')) end

local function settings(model) return model and { model = 'scripted:' .. tests .. '/' .. model } or {} end

--- Starts the configuration that planact ships; its model answers from a file, if one is named.
function M.enable_planact(model, options)
  vim.opt.runtimepath:append(tests .. '/../../server/editors/neovim')
  require('planact').setup(vim.tbl_extend('force', { settings = settings(model) }, options or {}))
end

--- Starts the server as Neovim starts any, with nothing of planact's own.
function M.enable_plain(model)
  vim.filetype.add({ extension = { plan = 'plan' } })
  local config = { name = 'planact', cmd = { 'planact', 'serve' }, init_options = { settings = settings(model) } }
  if vim.fn.has('nvim-0.11') == 1 then
    vim.lsp.config('planact', vim.tbl_extend('force', config, { root_markers = { '.git' } }))
    return vim.lsp.enable('planact')
  end
  vim.api.nvim_create_autocmd('FileType', {
    callback = function(event) vim.lsp.start(vim.tbl_extend('force', config, { root_dir = vim.fs.root(event.buf, '.git') })) end,
  })
end

--- Waits until `is_so()`, and returns what it gave; an error that says `what` after the limit.
function M.wait(what, is_so, limit)
  local result
  local met = vim.wait(limit or LIMIT_MS, function()
    result = is_so()
    return result or #M.errors > 0
  end, 50)
  if not result and #M.errors > 0 then error('errors were shown while waiting until ' .. what, 0) end
  if not met then error('waited in vain until ' .. what, 0) end
  return result
end

--- Opens a file and waits for the language server; gives the buffer.
function M.open(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  M.wait('a language server is attached to ' .. path, function()
    local client = vim.lsp.get_clients({ bufnr = buffer })[1]
    return client and client.initialized
  end)
  return buffer
end

function M.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

function M.wait_for_text(buffer, pattern, limit)
  local ok, problem = pcall(M.wait, 'the buffer holds ' .. pattern, function()
    return M.text(buffer):find(pattern) ~= nil
  end, limit)
  if not ok then error(problem .. '; it holds:\n' .. M.text(buffer), 0) end
end

--- Waits until nothing works in the folder any more.
function M.wait_for_rest()
  M.wait('the work is over', function()
    local state = require('planact.server').states[require('planact.server').client().id]
    return state and not state.is_running
  end)
end

--- The titles of the lenses, in order of their lines.
function M.lenses(buffer)
  vim.lsp.codelens.refresh({ bufnr = buffer })
  local lenses = vim.lsp.codelens.get(buffer)
  table.sort(lenses, function(a, b) return a.range.start.line < b.range.start.line end)
  return vim.tbl_map(function(lens) return lens.command and lens.command.title or '' end, lenses)
end

--- Waits for a lens whose title holds `title`, at a line that holds `at` if that is given; gives the 1-based line.
function M.wait_for_lens(buffer, title, at)
  local line
  local function is_there()
    for _, lens in ipairs(vim.lsp.codelens.get(buffer)) do
      local number = lens.range.start.line
      local text = vim.api.nvim_buf_get_lines(buffer, number, number + 1, false)[1] or ''
      local is_here = not at or text:find(at, 1, true)
      if lens.command and lens.command.title:find(title, 1, true) and is_here then line = number + 1 end
    end
    return line
  end
  -- Asked for anew twice a second, and those from before forgotten: they may be about another text, which the server
  -- then refuses. Asking from within the wait would starve it: each answer wakes it again.
  local last = vim.uv.now() + LIMIT_MS
  repeat
    if vim.uv.now() > last then
      error('waited in vain for the lens ' .. title .. '; there are ' .. vim.inspect(M.lenses(buffer)), 0)
    end
    vim.lsp.codelens.clear(nil, buffer)
    vim.lsp.codelens.refresh({ bufnr = buffer })
  until vim.wait(500, is_there, 20)
  return line
end

--- The lenses as drawn: the virtual text above or beside the lines.
function M.drawn_lenses(buffer)
  local drawn = {}
  for name, id in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens', 1, true) then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, id, 0, -1, { details = true })) do
        for _, chunk in ipairs(mark[4].virt_text or {}) do table.insert(drawn, chunk[1]) end
      end
    end
  end
  return table.concat(drawn)
end

--- Runs a lens as the user does: cursor on its line, vim.lsp.codelens.run, and a choice where the line has several.
function M.run_lens(buffer, title, at)
  local line = M.wait_for_lens(buffer, title, at)
  vim.api.nvim_set_current_buf(buffer)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  local answering = vim.ui.select
  vim.ui.select = function(items, opts, on_choice)
    vim.ui.select = answering
    for i, item in ipairs(items) do
      if opts.format_item(item):find(title, 1, true) then return on_choice(item, i) end
    end
    error('the line offers no lens ' .. title)
  end
  vim.lsp.codelens.run()
  -- a line with a single lens runs it without a choice
  vim.ui.select = answering
end

--- Types `new` in place of the first `old`.
function M.replace(buffer, old, new)
  local text = M.text(buffer)
  local from, to = text:find(old, 1, true)
  assert(from, old .. ' is not in the buffer')
  local changed = text:sub(1, from - 1) .. new .. text:sub(to + 1)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(changed, '\n'))
end

--- Runs `body` when Neovim is up. Any error, a question without an answer, or an error message of the server fails it.
function M.scenario(body)
  vim.lsp.handlers['window/showMessage'] = function(_, message)
    if message.type == vim.lsp.protocol.MessageType.Error then table.insert(M.errors, 'the server says: ' .. message.message) end
  end
  local notify = vim.notify
  vim.notify = function(text, level, opts)
    if level == vim.log.levels.ERROR then table.insert(M.errors, text) end
    notify(text, level, opts)
  end
  vim.api.nvim_create_autocmd('VimEnter', {
    callback = vim.schedule_wrap(function()
      local ok, problem = xpcall(body, debug.traceback)
      if ok and #M.errors > 0 then
        ok, problem = false, 'errors were shown'
      end
      if not ok then
        local seen = { asked = M.asked, errors = M.errors }
        io.stderr:write(tostring(problem) .. '\n' .. vim.inspect(seen) .. '\n')
        vim.cmd('cquit 1')
      end
      for _, client in ipairs(vim.lsp.get_clients()) do client:stop() end
      vim.wait(5000, function() return #vim.lsp.get_clients() == 0 end)
      vim.cmd('qall!')
    end),
  })
end

return M
