mod variants;
