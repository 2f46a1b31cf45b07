[(class_declaration name: (_) @type) (interface_declaration name: (_) @type) (trait_declaration name: (_) @type)
 (enum_declaration name: (_) @type)]
(namespace_definition name: (namespace_name (name) @module .))
[(function_definition name: (_) @function) (method_declaration name: (_) @function)]
[(const_element (name) @variable) (property_element name: (variable_name (name) @variable)) (enum_case name: (_) @variable)]
(name) @reference
