[(class_declaration name: (_) @type) (object_declaration name: (_) @type) (type_alias type: (identifier) @type)]
(function_declaration name: (_) @function)
[(source_file (property_declaration (variable_declaration (identifier) @variable)))
 (class_body (property_declaration (variable_declaration (identifier) @variable)))
 (class_parameter ["val" "var"] (identifier) @variable) (enum_entry (identifier) @variable)]
(identifier) @reference
