(class_definition name: (identifier) @type)
(type_alias_statement left: (type (identifier) @type))
(function_definition name: (identifier) @function)
(module (expression_statement (assignment left: (identifier) @variable)))
(class_definition body: (block (expression_statement (assignment left: (identifier) @variable))))
(identifier) @reference
