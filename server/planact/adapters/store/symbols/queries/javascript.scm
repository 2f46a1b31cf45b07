(class_declaration name: (_) @type)
[(function_declaration name: (_) @function) (generator_function_declaration name: (_) @function)]
(method_definition name: [(property_identifier) (private_property_identifier)] @function)
(variable_declarator name: (identifier) @function value: [(arrow_function) (function_expression) (generator_function)])
(pair key: (property_identifier) @function value: [(arrow_function) (function_expression)])
(field_definition property: [(property_identifier) (private_property_identifier)] @variable)
(program [(lexical_declaration (variable_declarator name: (identifier) @variable))
          (variable_declaration (variable_declarator name: (identifier) @variable))])
(export_statement (_ (variable_declarator name: (identifier) @variable)))
[(identifier) (property_identifier) (private_property_identifier) (shorthand_property_identifier)
 (shorthand_property_identifier_pattern)] @reference
