-- For wrk: every request a POST with the body that is given as the first argument.
function init(args)
  wrk.method = 'POST'
  wrk.body = args[1]
end
