-- For wrk: every request a POST with one of the bodies in the file that is given as the first argument, one a line. The
-- quantity of each item becomes one of 1 to 3, so that the same cart hardly ever comes again.
local bodies = {}

local function with_quantity(item)
  return item .. math.random(3)
end

function init(args)
  wrk.method = 'POST'
  math.randomseed(os.time())
  for line in io.lines(args[1]) do
    bodies[#bodies + 1] = line
  end
end

function request()
  local body = bodies[math.random(#bodies)]
  return wrk.format(nil, nil, nil, (body:gsub('("menu_item_id":"[^"]+","quantity":)%d+', with_quantity)))
end
