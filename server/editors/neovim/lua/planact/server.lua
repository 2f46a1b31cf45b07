-- Starts planact's server, one for each project, speaks with it, and keeps what it says of itself.
local M = {
  options = { cmd = { 'planact', 'serve' }, settings = {}, lenses = true },
  states = {}, -- by the id of the client
  handlers = {}, -- of what the server says; set by `planact`, like `on_ready(client)`
}
local LONGEST_GOODBYE_MS = 3000
local LOOK_MS = 30
local QUIET = { [-32800] = true } -- cancelled: the user knows

function M.tell(text, level) vim.notify('planact: ' .. text, level or vim.log.levels.INFO) end

--- The nearest folder above the buffer with planact's files or a repository. Of a list, Neovim takes the first name that is anywhere above: a
--- `.planact` in the home would be preferred to a repository below it.
local function project_of(buffer)
  return vim.fs.root(buffer, function(name) return name == '.planact' or name == '.git' end)
end

--- The folder that the buffer's project is in; nil for files of no project, but plans, which need a folder to work in.
local function root_of(buffer)
  local root = project_of(buffer)
  if root or vim.bo[buffer].filetype ~= 'plan' then return root end
  local path, here = vim.api.nvim_buf_get_name(buffer), vim.uv.cwd()
  return vim.startswith(path, here .. '/') and here or vim.fs.dirname(path)
end

local function capabilities()
  local declared = vim.lsp.protocol.make_client_capabilities()
  declared.workspace.codeLens = { refreshSupport = true }
  declared.experimental = { planact = { questions = true, save = true, diagnostics = true, references = true, symbols = true, messages = true } }
  return declared
end

local function on_init(client)
  local state = M.states[client.id]
  state.is_ready = true
  M.on_ready(client)
  for _, work in ipairs(state.later) do work(client) end
end

local function on_exit(code, signal, id)
  local state = M.states[id]
  M.states[id] = nil
  vim.schedule(function()
    if state and not state.is_stopped and vim.v.exiting == vim.NIL then
      M.has_ended = true
      M.tell(('the server ended (code %d, signal %d). To go on: :Planact restart'):format(code, signal), vim.log.levels.WARN)
    end
    vim.cmd.redrawstatus({ bang = true })
  end)
end

local function config(root)
  return {
    name = 'planact',
    cmd = M.options.cmd,
    -- Not in the project, where a program could be made to load the repository's code as its own.
    cmd_cwd = vim.uv.os_homedir(),
    root_dir = root, -- the one workspace folder, too: 0.10 finds a running client by the name that it gives that
    capabilities = capabilities(),
    init_options = { settings = next(M.options.settings) and M.options.settings or vim.empty_dict() },
    handlers = M.handlers,
    commands = {},
    on_init = on_init,
    on_exit = on_exit,
  }
end

--- Starts a client, or finds the one that runs; its id. In 0.10 only `start_client` leaves the buffer alone.
local function start(wanted, buffer, is_attached)
  if is_attached or vim.fn.has('nvim-0.11') == 1 then return vim.lsp.start(wanted, { bufnr = buffer, attach = is_attached }) end
  return vim.lsp.start_client(wanted)
end

--- Has planact know the buffer, and starts it if it must; the client's id. It reads unsaved text of every language.
function M.attach(buffer, options)
  local root = options and options.root or root_of(buffer)
  if not root or M.later or vim.b[buffer].planact_hidden then return end -- what is hidden is edited on disk
  local cmd = M.options.cmd[1]
  if vim.fn.executable(cmd) == 0 then
    vim.notify_once(('planact: there is no program %s on your PATH. How to get it: README, "Use it on your own code"'):format(cmd), vim.log.levels.WARN)
    return
  end
  local id = start(config(root), buffer, not options or options.attach ~= false)
  if id and not M.states[id] then
    M.states[id] = { mode = 'plan', questions = {}, later = {} }
    M.has_ended = false
  end
  return id
end

--- The planact of the buffer; else the one that there is.
function M.client()
  return vim.lsp.get_clients({ name = 'planact', bufnr = 0 })[1] or vim.lsp.get_clients({ name = 'planact' })[1]
end

--- Runs `work(client)` once there is a planact that listens; starts one for the folder that Neovim is in. `M.later` is
--- what waits for a restart.
function M.with(work)
  if M.later then return table.insert(M.later, work) end
  local client = M.client()
  local id = client and client.id or M.attach(vim.api.nvim_get_current_buf(), { root = project_of(0) or vim.uv.cwd(), attach = false })
  local state = id and M.states[id]
  if not state then return end
  if state.is_ready then work(vim.lsp.get_client_by_id(id)) else table.insert(state.later, work) end
end

--- Sends a request; 0.10 has no methods of clients.
function M.request(client, method, params, done, buffer)
  if vim.fn.has('nvim-0.11') == 1 then return client:request(method, params, done, buffer) end
  return client.request(method, params, done, buffer)
end

function M.cancel(client, id)
  if vim.fn.has('nvim-0.11') == 1 then return client:cancel_request(id) end
  return client.cancel_request(id)
end

--- Waits until `is_so()`, or the time `limit`, in a coroutine as Neovim runs an answer in, so that others work meanwhile.
function M.wait(is_so, limit)
  local running = coroutine.running()
  while not is_so() and vim.uv.now() < limit do
    vim.defer_fn(function() coroutine.resume(running) end, LOOK_MS)
    coroutine.yield()
  end
end

--- Runs a command of the server: `done(result)`, or `failed(error)`, which says true when it has dealt with it.
function M.call(client, name, arguments, done, failed)
  local params = { command = 'planact.' .. name, arguments = { next(arguments) and arguments or vim.empty_dict() } }
  M.request(client, 'workspace/executeCommand', params, function(problem, result)
    if not problem then
      if done then done(result) end
    elseif not QUIET[problem.code] and not (failed and failed(problem)) then
      M.tell(problem.message, vim.log.levels.ERROR)
    end
  end)
end

--- Has new servers in place of those that run, or have ended. They begin when the old ones, and their work, are over.
function M.restart()
  if M.later then return end
  M.later = {}
  for _, client in ipairs(vim.lsp.get_clients({ name = 'planact' })) do
    if M.states[client.id] then M.states[client.id].is_stopped = true end
    for buffer in pairs(client.attached_buffers) do vim.lsp.buf_detach_client(buffer, client.id) end
    vim.lsp.stop_client(client.id)
    vim.defer_fn(function() vim.lsp.stop_client(client.id, true) end, LONGEST_GOODBYE_MS)
  end
  local function start()
    if next(M.states) then return vim.defer_fn(start, 50) end
    local later = M.later
    M.later = nil
    M.attach_all()
    for _, work in ipairs(later) do M.with(work) end
  end
  start()
end

--- Has planact know all files that are open.
function M.attach_all()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local is_file = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == '' and vim.bo[buffer].filetype ~= ''
    if is_file then M.attach(buffer) end
  end
end

return M
