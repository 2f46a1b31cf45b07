[(class name: [(constant) @type (scope_resolution name: (constant) @type)])
 (module name: [(constant) @module (scope_resolution name: (constant) @module)])]
[(method name: [(identifier) (constant) (operator)] @function) (method name: (setter name: (identifier) @function))
 (singleton_method name: [(identifier) (constant) (operator)] @function) (alias name: (identifier) @function)]
(assignment left: (constant) @variable)
[(identifier) (constant)] @reference
