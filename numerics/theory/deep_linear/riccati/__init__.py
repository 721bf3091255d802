"""The closed form of the flow of QQ^T: in lanes where it is well conditioned, robust everywhere."""
